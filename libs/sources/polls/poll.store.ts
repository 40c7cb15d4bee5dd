import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import type { SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';

/** What was seen when a resource was last looked at; nothing before the first time. */
export interface Sighting {
  /** As the service wrote it (RFC 9110 section 8.8.3). */
  readonly etag: string | null;
  /** As the service wrote it (RFC 9110 section 8.8.2). */
  readonly lastModified: string | null;
  /** SHA-256 of the contents, base64url. */
  readonly digest: string | null;
}

/** A resource that is to be looked at now, and by whom: the claim is one look's alone. */
export interface DuePoll extends Sighting {
  readonly tenant: Pick<TenantRecord, 'id' | 'slug'>;
  readonly source: SourceRecord;
  readonly claim: string;
  /** How often in a row it could not be looked at. */
  readonly failures: number;
}

/** How a look ended. */
export interface PollOutcome extends Sighting {
  readonly failures: number;
  /** When to look again, in milliseconds from now. */
  readonly nextInMs: number;
}

/** Which resources are looked at, and when. What one node claims no other does. */
export abstract class PollStore {
  /**
   * Takes in resources whose definitions ask for it, and looks anew at those that were changed.
   * @param milliseconds how far back changes are looked for
   */
  abstract enlist(milliseconds: number): Promise<void>;

  /**
   * Claims resources that are due, of tenants that are served: of each tenant the longest due first, and no more at a time
   * than leave room for others.
   * @param leaseMs after so long without an outcome another node may claim them
   */
  abstract claim(limit: number, leaseMs: number): Promise<readonly DuePoll[]>;

  /**
   * Keeps the outcome and writes the changes into the outbox, in one transaction. When the claim is lost, or the source
   * gone, nothing is written.
   */
  abstract settle(poll: DuePoll, outcome: PollOutcome, changes: readonly Change[]): Promise<readonly OutboxEntry[]>;
}
