import { randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type ServerProcess, startProcess } from './server-process.js';
import { until } from './until.js';

/** Several nodes of one deployment, with the tenants of `nodes-program.ts`. */
export class Nodes implements AsyncDisposable {
  readonly nodes: ServerProcess[] = [];
  /** What all of them logged. */
  log = '';

  constructor(private readonly environment: Readonly<Record<string, string>>) {
    this.environment = { SECRET_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'info', ...environment };
  }

  /** One more node. */
  async start(): Promise<ServerProcess> {
    const node = await startProcess(this.environment, (text) => (this.log += text), 'nodes-program.ts');
    this.nodes.push(node);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) await node[Symbol.asyncDispose]();
  }
}

/** A host: the official client, connected to one node, listening. */
export class Host implements AsyncDisposable {
  /** How often it heard that the tools have changed, and that the counter has. */
  readonly heard = { tools: 0, counter: 0 };

  private constructor(private readonly client: Client) {}

  static async connect({ place }: ServerProcess, slug = 'acme'): Promise<Host> {
    const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${place}/t/${slug}/mcp`)));
    return new Host(client);
  }

  async listen(): Promise<this> {
    this.client.setNotificationHandler('notifications/tools/list_changed', () => void (this.heard.tools += 1));
    this.client.setNotificationHandler('notifications/resources/updated', () => void (this.heard.counter += 1));
    await this.client.listen({ toolsListChanged: true, resourceSubscriptions: ['changes://counter'] });
    return this;
  }

  async register(number: number, die = false): Promise<void> {
    const { isError } = await this.client.callTool({ name: 'register', arguments: { number, die } });
    if (isError === true) throw new Error('It was not registered.');
  }

  async touch(): Promise<void> {
    await this.client.callTool({ name: 'touch', arguments: {} });
  }

  /** The numbers of the tools that it is shown. */
  async numbers(): Promise<readonly number[]> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return names.flatMap((name) => (name.startsWith('numbered-') ? [Number(name.slice('numbered-'.length))] : []));
  }

  /** Waits until it has heard of tools again since the count given, and is shown these. */
  async untilShown(numbers: readonly number[], since: number, limitMs?: number): Promise<void> {
    await until(() => this.heard.tools > since, limitMs);
    await until(async () => {
      const shown = new Set(await this.numbers());
      return numbers.every((number) => shown.has(number));
    }, limitMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
