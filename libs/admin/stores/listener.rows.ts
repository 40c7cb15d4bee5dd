import type { JsonObject } from '#protocol/json.js';
import type { PageTerms } from './page.js';

/** An open `subscriptions/listen` stream. */
export interface ListenerRow {
  readonly id: string;
  readonly subject: string;
  readonly clientId: string | null;
  /** What it listens for, as it was acknowledged. */
  readonly filter: JsonObject;
  readonly since: Date;
  /** The process that holds it. */
  readonly node: string;
}

/** Streams that are open now, on whatever node. */
export interface ListenerRows {
  list(tenantId: string, page: PageTerms): Promise<readonly ListenerRow[]>;
}
