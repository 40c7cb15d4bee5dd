import type { Client } from '@modelcontextprotocol/client';
import { COUNTER } from './numbered-sources.js';
import { officialClient } from './official-client.js';
import type { ServerProcess } from './server-process.js';
import { until } from './until.js';

/** A host: the official client, connected to one node. It lists tools when it hears that they have changed, and only then. */
export class Host implements AsyncDisposable {
  /** How often it heard that the tools have changed, and that the counter has. */
  readonly heard = { tools: 0, counter: 0 };
  /** The tools that it was shown when it last heard of them. */
  private tools: ReadonlySet<string> = new Set();
  private listing = false;

  private constructor(readonly client: Client & AsyncDisposable) {}

  static async connect({ place }: ServerProcess, slug = 'acme'): Promise<Host> {
    return new Host(await officialClient(`${place}/t/${slug}/mcp`));
  }

  async listen(): Promise<this> {
    this.client.setNotificationHandler('notifications/tools/list_changed', () => this.heardOfTools());
    this.client.setNotificationHandler('notifications/resources/updated', () => void (this.heard.counter += 1));
    await this.client.listen({ toolsListChanged: true, resourceSubscriptions: [COUNTER] });
    return this;
  }

  /** The names of the tools that are there now. */
  async list(): Promise<readonly string[]> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return names;
  }

  /** Waits until it was shown all of these, having been told to look. */
  async untilTold(names: readonly string[], limitMs?: number): Promise<void> {
    await until(() => names.every((name) => this.tools.has(name)), limitMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }

  /** What it hears while it lists makes it list once more. */
  private async heardOfTools(): Promise<void> {
    this.heard.tools += 1;
    if (this.listing) return;
    this.listing = true;
    let known;
    do {
      known = this.heard.tools;
      this.tools = new Set(await this.list());
    } while (known !== this.heard.tools);
    this.listing = false;
  }
}
