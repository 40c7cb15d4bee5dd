import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccessTokenStrategy } from '#access/access-token.strategy.js';
import { EmbeddedKeys } from '#access/key-source.js';
import { StaticTokenStore } from '#access/static-token.store.js';
import { StaticTokens } from '#access/static-tokens.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { SigningKeys } from '#authorization/keys/signing-keys.js';
import { SigningKeyStore } from '#authorization/stores/signing-key.store.js';
import { HandlerClosures } from '#catalogue/modules/handler-closure.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { ChangeBus } from '#events/change.bus.js';
import { ChangeRelay } from '#events/change-relay.js';
import { InProcessBus } from '#events/in-process.bus.js';
import { Outbox } from '#events/outbox.js';
import type { DatabaseOptions } from '#persistence/database.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import type { KeyRing } from '#protocol/key-ring.js';
import type { Logger } from '#telemetry/logger.js';

export interface AppOptions {
  readonly database: DatabaseOptions;
  /** Classes with `@McpModule`, or Nest modules that provide some. */
  readonly modules: readonly Type[];
  readonly keys: KeyRing;
  readonly logger: Logger;
}

/** The composition root of the hosted process. */
@Module({})
export class AppModule {
  static register({ database, modules, keys, logger }: AppOptions): DynamicModule {
    const isNestModule = (type: Type): boolean =>
      Reflect.hasMetadata('providers', type) || Reflect.hasMetadata('imports', type);
    const bus = new InProcessBus((error) => logger.error({ err: error }, 'A subscriber of the bus failed'));
    return {
      module: AppModule,
      imports: [DiscoveryModule, PersistenceModule.register(database), ...modules.filter(isNestModule)],
      providers: [
        HandlerClosures,
        ModuleRegistry,
        AccessTokenStrategy,
        { provide: ChangeBus, useValue: bus },
        { provide: ChangeRelay, useFactory: changeRelay(bus, logger), inject: [Outbox] },
        Passwords,
        { provide: SigningKeys, useFactory: signingKeys(keys), inject: [SigningKeyStore] },
        { provide: EmbeddedKeys, useExisting: SigningKeys },
        { provide: StaticTokens, useFactory: staticTokens, inject: [StaticTokenStore, ChangeBus] },
        ...modules.filter((type) => !isNestModule(type)),
      ],
      exports: [ChangeBus, ChangeRelay, StaticTokens, Passwords],
      global: true,
    };
  }
}

function changeRelay(bus: ChangeBus, logger: Logger): (outbox: Outbox) => ChangeRelay {
  const onFailure = (error: unknown): void => logger.error({ err: error }, 'A change could not be announced yet');
  return (outbox) => new ChangeRelay(outbox, bus, onFailure);
}

function signingKeys(keys: KeyRing): (store: SigningKeyStore) => SigningKeys {
  return (store) => new SigningKeys(store, keys.derive('signing keys'));
}

function staticTokens(store: StaticTokenStore, bus: ChangeBus): StaticTokens {
  return new StaticTokens(store, (revocation) => bus.publish({ type: 'revocation', ...revocation }));
}
