import type { AccessGate } from '#access/access-gate.js';
import type { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import { CursorCodec } from '#catalogue/cursor.js';
import { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantStore } from '#tenancy/tenant.store.js';
import type { ChangeAnnouncer } from '#events/change-announcer.js';
import type { ChangeFeed } from '#events/change-feed.js';
import type { RoundStore } from '#invocation/round.store.js';
import { RoundKeeper } from '#invocation/rounds/round-keeper.js';
import { StateSealer } from '#invocation/rounds/sealed-state.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { ListenRouter } from '#serving/listen-router.js';
import type { ListenerRows } from '#serving/listener-rows.js';
import type { Stages } from '#serving/stages.js';
import type { SecretVault } from '#sources/secrets/secret-vault.js';
import type { Logger } from '#telemetry/logger.js';
import { PinoFaultLog } from '#telemetry/pino-fault.log.js';
import type { Environment } from './config/config.js';
import { invocationLimitsOf, servingLimitsOf } from './config/settings.js';

const ABSENT_MS = 2_000;

export interface StageParts {
  readonly environment: Environment;
  readonly keys: KeyRing;
  readonly gate: AccessGate;
  readonly compiler: CatalogueCompiler;
  readonly secrets: SecretVault;
  readonly tenants: TenantStore;
  readonly rounds: RoundStore;
  readonly feed: ChangeFeed;
  readonly announcer: ChangeAnnouncer;
  readonly listenerRows: ListenerRows;
  readonly logger: Logger;
}

/** Puts the serving line together. */
export function createStages(parts: StageParts): Stages {
  const { environment, keys, gate, compiler, secrets, tenants, rounds, feed, announcer, logger } = parts;
  const directory = new TenantDirectory(tenants, compiler, {
    capacity: environment.TENANTS_IN_MEMORY,
    absentMs: ABSENT_MS,
    onLoaded: (tenantId) => secrets.forget(tenantId),
  });
  const listeners = new ListenRouter({
    tenants: directory,
    gate,
    rows: parts.listenerRows,
    onFailure: (error) => logger.error({ err: error }, 'A change could not be passed on'),
  });
  feed.subscribe((change) => {
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
      rounds: new RoundKeeper(rounds, new StateSealer(keys.derive('request state')), limits),
      faults: new PinoFaultLog(logger),
    },
    listeners,
    announcer,
    limits: servingLimitsOf(environment),
    onFailure: (error) => logger.error({ err: error }, 'A request failed'),
  };
}
