import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

export const REVISION = '2026-07-28';

export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, any>;
  readonly result?: Record<string, any>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Every message in the answer, in order: one for JSON, each event for SSE. */
  readonly messages: readonly Message[];
}

export interface Call {
  readonly method: string;
  readonly params?: Record<string, unknown>;
  readonly id?: string | number | null;
  readonly meta?: Record<string, unknown>;
  readonly capabilities?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** The body of a conformant request. */
export function bodyOf({ method, params = {}, id = 1, meta = {}, capabilities = {} }: Call): object {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta,
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

/** The headers of a conformant request; those given win, undefined leaves one out. */
export function headersOf({ method, params, headers = {} }: Call): Record<string, string> {
  const name = params?.['name'] ?? params?.['uri'];
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(typeof name === 'string' && /^[\x20-\x7e]*$/.test(name) && { 'mcp-name': name }),
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Sends one request and reads the whole answer. */
export async function send(url: string, call: Call): Promise<Answer> {
  return post(url, JSON.stringify(bodyOf(call)), headersOf(call), call.signal);
}

/** Sends any body with any headers. */
export async function post(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers, body: body as never, ...(signal && { signal }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, messages: messagesOf(response.headers, text) };
}

function messagesOf(headers: Headers, text: string): readonly Message[] {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return parseEvents(text);
  return type.startsWith('application/json') ? [JSON.parse(text) as Message] : [];
}

export function parseEvents(text: string): readonly Message[] {
  return text
    .split('\n\n')
    .filter((event) => event.includes('data: '))
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as Message);
}

/** The result, or a failure that shows what came instead. */
export function resultOf({ messages, status }: Answer): Record<string, any> {
  const last = messages.at(-1);
  if (last?.result === undefined) throw new Error(`No result: ${status} ${JSON.stringify(messages)}`);
  return last.result;
}

/** The code and HTTP status of an error, like "-32602 200". */
export function errorOf({ messages, status }: Answer): string {
  const code = messages.at(-1)?.error?.code;
  return code === undefined ? `no error, ${status} ${JSON.stringify(messages)}` : `${code} ${status}`;
}

/** A stream that stays open, read event by event. */
export class EventStream implements Disposable {
  private buffer = '';
  private readonly waiting: (() => void)[] = [];
  readonly messages: Message[] = [];
  comments = 0;
  ended = false;

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.take(chunk));
    response.on('close', () => {
      this.ended = true;
      this.wake();
    });
    response.on('error', () => undefined);
  }

  static async open(url: string, call: Call): Promise<EventStream> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers: headersOf(call), agent: false }, resolve);
      request.on('error', reject);
      request.end(JSON.stringify(bodyOf(call)));
    });
    return new EventStream(response);
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  /** Waits until there are this many messages, or the stream has ended. */
  async until(count: number): Promise<readonly Message[]> {
    await this.wait(() => this.messages.length >= count || this.ended);
    return this.messages;
  }

  async wait(condition: () => boolean, limitMs = 10_000): Promise<void> {
    const deadline = Date.now() + limitMs;
    while (!condition()) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`Waited in vain; have ${JSON.stringify(this.messages)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  [Symbol.dispose](): void {
    this.response.destroy();
  }

  private take(chunk: string): void {
    this.buffer += chunk;
    const end = this.buffer.lastIndexOf('\n\n');
    if (end === -1) return;
    const whole = this.buffer.slice(0, end + 2);
    this.buffer = this.buffer.slice(end + 2);
    this.comments += whole.split('\n').filter((line) => line.startsWith(':')).length;
    this.messages.push(...parseEvents(whole));
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** A bare connection, for what an HTTP client would not send. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** One request as bytes for a bare connection. */
export function rawRequest(url: string, call: Call): string {
  const body = JSON.stringify(bodyOf(call));
  const fields = { host: new URL(url).host, ...headersOf(call), 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `POST ${new URL(url).pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
