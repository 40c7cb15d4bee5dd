import { type RegisteredSource, registeredTenant } from './registered-tenant.js';
import { type RunningServer, runServer } from './running-server.js';
import { echo, runUpstream, type UpstreamService } from './upstream-service.js';
import { resultOf, send } from './wire.js';

/** Calls a tool and gives its result. */
export type CallTool = (args?: object) => Promise<Record<string, any>>;

/** A platform and a service that its tools may call. */
export interface HttpToolStage extends AsyncDisposable {
  readonly upstream: UpstreamService;
  readonly running: RunningServer;
  /** A new tenant with this one tool, and how to call it. */
  tool(definition: object, secrets?: Readonly<Record<string, string>>): Promise<CallTool>;
  /** A new tenant with these sources; its slug. */
  tenantOf(sources: readonly RegisteredSource[], secrets?: Readonly<Record<string, string>>): Promise<string>;
  call(slug: string, name: string, args: object): Promise<Record<string, any>>;
  /** A request of the service. */
  get(path: string, more?: object): object;
}

/** @param allowed networks that the operator opened */
export async function httpToolStage(allowed = '127.0.0.1'): Promise<HttpToolStage> {
  const upstream = await runUpstream(echo);
  const running = await runServer({ modules: [], tenants: [], environment: { OUTBOUND_ALLOW: allowed } });
  let tenants = 0;
  const tenantOf: HttpToolStage['tenantOf'] = async (sources, secrets) => {
    const slug = `tools-${(tenants += 1)}`;
    await registeredTenant(running.server, slug, sources, secrets);
    return slug;
  };
  const call: HttpToolStage['call'] = async (slug, name, args) =>
    resultOf(await send(running.url(slug), { method: 'tools/call', params: { name, arguments: args } }));
  return {
    upstream,
    running,
    tenantOf,
    call,
    tool: async (definition, secrets) => {
      const slug = await tenantOf([{ name: 'tool', definition }], secrets);
      return (args = {}) => call(slug, 'tool', args);
    },
    get: (path, more = {}) => ({ method: 'GET', url: `${upstream.origin}${path}`, ...more }),
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** The text of a result's first content. */
export function textOf(result: Record<string, any>): string {
  return result['content'][0].text;
}
