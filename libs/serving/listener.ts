import { randomUUID } from 'node:crypto';
import type { Caller } from '#access/caller.js';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import type { RequestId, SubscriptionFilter } from '#protocol/messages.js';
import {
  encodeSubscriptionEnd,
  encodeSubscriptionMeta,
  encodeSubscriptionNotification,
} from '#protocol/wire/modern.js';
import type { Channel, Exchange } from './exchange.js';
import type { ListenerRow } from './listener.store.js';

/** The methods by which a listener hears that a list has changed. */
export type ListChanged = `notifications/${'tools' | 'prompts' | 'resources'}/list_changed`;

/** One open stream, as small as can be: there are many. */
export class Listener {
  /** The id of its row. */
  readonly key = randomUUID();
  readonly tenantId: string;
  caller: Caller;
  /** What the listener's principal could see when it last heard of changes. */
  view: CatalogueView;
  private readonly id: RequestId;
  private readonly since = Date.now();
  private readonly channel: Channel;
  private readonly serverMeta: string;
  private readonly tools: boolean;
  private readonly prompts: boolean;
  private readonly resources: boolean;
  private readonly uris: ReadonlySet<string> | undefined;

  constructor({ envelope, catalogue, caller, channel, view }: Exchange, asked: SubscriptionFilter) {
    this.id = envelope.id;
    this.tenantId = catalogue.tenant.id;
    this.caller = caller;
    this.channel = channel;
    this.view = view;
    this.serverMeta = catalogue.serverMeta;
    this.tools = asked.toolsListChanged === true;
    this.prompts = asked.promptsListChanged === true;
    this.resources = asked.resourcesListChanged === true;
    const uris = asked.resourceSubscriptions?.filter((uri) => view.permitsResource(uri));
    this.uris = uris && new Set(uris);
  }

  /** What it will hear of: what it asked for, and may see. */
  get filter(): SubscriptionFilter {
    return {
      ...(this.tools && { toolsListChanged: true }),
      ...(this.prompts && { promptsListChanged: true }),
      ...(this.resources && { resourcesListChanged: true }),
      ...(this.uris && { resourceSubscriptions: [...this.uris] }),
    };
  }

  get row(): ListenerRow {
    const { subject, clientId } = this.caller.principal;
    return {
      tenantId: this.tenantId,
      id: this.key,
      subject,
      clientId,
      filter: this.filter,
      since: new Date(this.since),
    };
  }

  /** Whose stream it is, for the bound on streams. */
  get owner(): string {
    const { tenantId, subject, clientId } = this.caller.principal;
    return JSON.stringify([tenantId, subject, clientId ?? null]);
  }

  /** Its first message (specification: basic/patterns/subscriptions). */
  acknowledge(): void {
    this.send('notifications/subscriptions/acknowledged', `"notifications":${JSON.stringify(this.filter)}`);
  }

  listensTo(uri: string): boolean {
    return this.uris?.has(uri) === true;
  }

  tellResource(uriMember: string): void {
    this.send('notifications/resources/updated', uriMember);
  }

  /** Tells which of these lists have changed, as far as it asked for them. */
  tellLists(methods: readonly ListChanged[]): void {
    for (const method of methods) {
      if (this.asksFor(method)) this.send(method);
    }
  }

  /** Ends the stream with its final response. */
  end(): void {
    this.channel.finish(encodeSubscriptionEnd(this.id, this.serverMeta));
  }

  private asksFor(method: ListChanged): boolean {
    switch (method) {
      case 'notifications/tools/list_changed':
        return this.tools;
      case 'notifications/prompts/list_changed':
        return this.prompts;
      case 'notifications/resources/list_changed':
        return this.resources;
    }
  }

  private send(method: string, members?: string): void {
    this.channel.send(encodeSubscriptionNotification(method, encodeSubscriptionMeta(this.id), members));
  }
}
