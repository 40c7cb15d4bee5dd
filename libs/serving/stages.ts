import type { AccessGate } from '#access/access-gate.js';
import type { CursorCodec } from '#catalogue/cursor.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { ChangeAnnouncer } from '#events/change-announcer.js';
import type { Invocation } from '#invocation/perform-call.js';
import type { ListenRouter } from './listen-router.js';

/** Bounds on what a request may bring and take. */
export interface ServingLimits {
  /** How many objects and arrays may stand inside one another in a body. */
  readonly jsonDepth: number;
  /** The largest result, in bytes of JSON. */
  readonly resultBytes: number;
  /** How long clients may keep a list, in milliseconds; they hear of changes before that. */
  readonly listTtlMs: number;
}

/** The stages and what they need, put together once by the composition root. */
export interface Stages {
  readonly tenants: TenantDirectory;
  readonly gate: AccessGate;
  readonly cursors: CursorCodec;
  readonly invocation: Invocation;
  readonly listeners: ListenRouter;
  readonly announcer: Pick<ChangeAnnouncer, 'announce'>;
  readonly limits: ServingLimits;
  /** Told of what should not happen. */
  onFailure(error: unknown): void;
}
