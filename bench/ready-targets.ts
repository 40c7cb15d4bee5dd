import { CONNECTIONS, load, type Target } from './load.js';
import { type Check, probe } from './probe.js';
import { type McpRequest, withToken } from './requests.js';
import { type ServerProcess, type ServerSpec, startServer } from './server-process.js';

/** A server and what it is asked for, over and over. */
export interface Contender {
  readonly server: ServerSpec;
  readonly paths: readonly string[];
  /** How many of the server's access tokens are sent, in turn; none when it is left out. */
  readonly tokens?: number;
  readonly request: McpRequest;
  readonly check: Check;
  /** How many connections ask. */
  readonly connections?: number;
}

/** A target that has answered rightly, and is warm. */
export interface ReadyTarget extends Target {
  /** What it answers with. */
  readonly body: string;
}

/**
 * The servers of a run, each started when it is first needed and kept for the measures that follow; one specification
 * is one process. What is asked of them is probed and warmed up once.
 */
export class ReadyTargets {
  readonly #servers = new Map<ServerSpec, ServerProcess>();
  readonly #targets = new Map<Contender, ReadyTarget>();

  constructor(private readonly warmUpSeconds: number) {}

  /** @throws Error when the server does not start, or does not answer as it should. */
  async of(contender: Contender): Promise<ReadyTarget> {
    const ready = this.#targets.get(contender);
    if (ready !== undefined) return ready;
    const { paths, request, check } = contender;
    const server = await this.#serverOf(contender.server);
    const tokens = server.tokens.slice(0, contender.tokens ?? 0);
    const first = { ...request, headers: withToken(request, tokens[0]) };
    const body = await probe(`${server.url}${paths[0] ?? ''}`, first, check);
    const target = {
      server,
      paths,
      tokens,
      request,
      connections: contender.connections ?? CONNECTIONS,
      body,
      accepts: paths.length === 1 ? equals(body) : resembles(body),
    };
    const different = Math.max(paths.length, tokens.length);
    if (different > 1) await load(target, { requests: different });
    await load(target, { seconds: this.warmUpSeconds });
    this.#targets.set(contender, target);
    return target;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
  }

  async #serverOf(spec: ServerSpec): Promise<ServerProcess> {
    const server = this.#servers.get(spec) ?? (await startServer(spec));
    this.#servers.set(spec, server);
    return server;
  }
}

function equals(expected: string): Target['accepts'] {
  return (body) => body === expected;
}

/** Of as many characters, and the same up to `_meta`, where a tenant's server gives its name. */
function resembles(expected: string): Target['accepts'] {
  const [start = ''] = expected.split('"_meta"', 1);
  return (body) => body.length === expected.length && body.startsWith(start);
}
