import type { SubscriptionFilter } from '#protocol/messages.js';

/** An open listen stream, as other nodes and admins see it. */
export interface ListenerRow {
  readonly tenantId: string;
  readonly id: string;
  readonly subject: string;
  readonly clientId: string | undefined;
  /** What it listens for, as it was acknowledged. */
  readonly filter: SubscriptionFilter;
  readonly since: Date;
}

export interface OpenListener extends ListenerRow {
  readonly nodeId: string;
}

/** Which nodes live, and who listens where. A node is a process; its id is new with each start. */
export abstract class ListenerStore {
  /**
   * Writes rows for streams that are about to open, as many for each principal (tenant, subject, client) as fit under the
   * bound over all nodes; no two nodes overstep it together.
   * @returns the ids of those that were written
   */
  abstract open(nodeId: string, rows: readonly ListenerRow[], maxPerPrincipal: number): Promise<ReadonlySet<string>>;

  /** Deletes the rows of streams of this node that have ended. */
  abstract close(nodeId: string, ids: readonly string[]): Promise<void>;

  /** Says that the node lives; returns how many rows of streams it has. */
  abstract beat(nodeId: string): Promise<number>;

  /** Makes these the rows of the node, whatever they were, as after it was taken for dead. */
  abstract restore(nodeId: string, rows: readonly ListenerRow[]): Promise<void>;

  /** Deletes the node with all its rows. */
  abstract leave(nodeId: string): Promise<void>;

  /** Deletes nodes that have not said that they live for so long, with all their rows; returns how many. */
  abstract sweep(silentMs: number): Promise<number>;

  /** Who listens to a tenant now, on whatever node, by id; those after an id when one is given. */
  abstract list(tenantId: string, page: { readonly after?: string; readonly limit: number }): Promise<OpenListener[]>;
}
