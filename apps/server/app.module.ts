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
import { ChangeAnnouncer } from '#events/change-announcer.js';
import { ChangeBus } from '#events/change.bus.js';
import { ChangeFeed } from '#events/change-feed.js';
import { ChangeRelay } from '#events/change-relay.js';
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
  readonly bus: ChangeBus;
  readonly logger: Logger;
}

/** The composition root of the hosted process. */
@Module({})
export class AppModule {
  static register({ database, modules, keys, bus, logger }: AppOptions): DynamicModule {
    const isNestModule = (type: Type): boolean =>
      Reflect.hasMetadata('providers', type) || Reflect.hasMetadata('imports', type);
    const failed = (message: string) => (error: unknown) => logger.error({ err: error }, message);
    const notAnnounced = failed('A change could not be announced just now');
    return {
      module: AppModule,
      imports: [DiscoveryModule, PersistenceModule.register(database), ...modules.filter(isNestModule)],
      providers: [
        HandlerClosures,
        ModuleRegistry,
        AccessTokenStrategy,
        { provide: ChangeBus, useValue: bus },
        { provide: ChangeFeed, useValue: new ChangeFeed(bus, failed('A change could not be passed on')) },
        {
          provide: ChangeRelay,
          useFactory: (outbox: Outbox) => new ChangeRelay(outbox, bus, notAnnounced),
          inject: [Outbox],
        },
        {
          provide: ChangeAnnouncer,
          useFactory: (outbox: Outbox, relay: ChangeRelay) => new ChangeAnnouncer(outbox, relay, bus, notAnnounced),
          inject: [Outbox, ChangeRelay],
        },
        Passwords,
        { provide: SigningKeys, useFactory: signingKeys(keys), inject: [SigningKeyStore] },
        { provide: EmbeddedKeys, useExisting: SigningKeys },
        { provide: StaticTokens, useFactory: staticTokens, inject: [StaticTokenStore, ChangeAnnouncer] },
        ...modules.filter((type) => !isNestModule(type)),
      ],
      exports: [ChangeBus, ChangeRelay, ChangeAnnouncer, StaticTokens, Passwords],
      global: true,
    };
  }
}

function signingKeys(keys: KeyRing): (store: SigningKeyStore) => SigningKeys {
  return (store) => new SigningKeys(store, keys.derive('signing keys'));
}

function staticTokens(store: StaticTokenStore, announcer: ChangeAnnouncer): StaticTokens {
  return new StaticTokens(store, (revocation) => announcer.announce({ type: 'revocation', ...revocation }));
}
