import type { AccessGate } from '#access/access-gate.js';
import { CursorCodec } from '#catalogue/cursor.js';
import { TenantDirectory } from '#catalogue/tenant-directory.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { ChangeAnnouncer } from '#events/change-announcer.js';
import { ChangeFeed } from '#events/change-feed.js';
import { RoundStore } from '#invocation/round.store.js';
import { RoundKeeper } from '#invocation/rounds/round-keeper.js';
import { StateSealer } from '#invocation/rounds/sealed-state.js';
import { ListenRouter } from '#serving/listen-router.js';
import type { ListenerRows } from '#serving/listener-rows.js';
import type { Stages } from '#serving/stages.js';
import { PinoFaultLog } from '#telemetry/pino-fault.log.js';
import type { Booted } from './booted.js';
import { invocationLimitsOf, servingLimitsOf } from './config/settings.js';
import type { Registered } from './registered.js';

const ABSENT_MS = 2_000;

/** What the stages share with the rest of the platform. */
export interface StageSurroundings {
  readonly gate: AccessGate;
  readonly registered: Registered;
  readonly listenerRows: ListenerRows;
}

/** Puts the serving line together. */
export function createStages(
  { app, environment, keys, logger }: Booted,
  { gate, registered, listenerRows }: StageSurroundings,
): Stages {
  const { compiler, secrets } = registered;
  const directory = new TenantDirectory(app.get(TenantStore), compiler, {
    capacity: environment.TENANTS_IN_MEMORY,
    absentMs: ABSENT_MS,
    onLoaded: (tenantId) => secrets.forget(tenantId),
  });
  const listeners = new ListenRouter({
    tenants: directory,
    gate,
    rows: listenerRows,
    onFailure: (error) => logger.error({ err: error }, 'A change could not be passed on'),
  });
  app.get(ChangeFeed).subscribe((change) => {
    if (change.type === 'revocation') gate.forget(change);
    listeners.route(change);
  });
  const limits = invocationLimitsOf(environment);
  return {
    tenants: directory,
    gate,
    cursors: new CursorCodec(keys.derive('list cursor')),
    invocation: {
      limits,
      rounds: new RoundKeeper(app.get(RoundStore), new StateSealer(keys.derive('request state')), limits),
      faults: new PinoFaultLog(logger),
    },
    listeners,
    announcer: app.get(ChangeAnnouncer),
    limits: servingLimitsOf(environment),
    onFailure: (error) => logger.error({ err: error }, 'A request failed'),
  };
}
