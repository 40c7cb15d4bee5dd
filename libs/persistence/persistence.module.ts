import { Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { RevocationStore } from '#access/revocation.store.js';
import { StaticTokenStore } from '#access/static-token.store.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { RecordStore } from '#authorization/stores/record.store.js';
import { SignInFailureStore } from '#authorization/stores/sign-in-failure.store.js';
import { SigningKeyStore } from '#authorization/stores/signing-key.store.js';
import { RoundStore } from '#invocation/round.store.js';
import { Outbox } from '#events/outbox.js';
import { ListenerStore } from '#serving/listener.store.js';
import { NotificationStore } from '#sources/notifications/notification.store.js';
import { PollStore } from '#sources/polls/poll.store.js';
import { SecretStore } from '#sources/secrets/secret.store.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { Database, openDatabase } from './database.js';
import type { DatabaseOptions } from './database.js';
import { PrismaAdminStore } from './admin/prisma-admin.store.js';
import { applyMigrations } from './migrations.js';
import { PrismaAccountStore } from './prisma-account.store.js';
import { PrismaClientStore } from './prisma-client.store.js';
import { PrismaGrantStore } from './prisma-grant.store.js';
import { PrismaListenerStore } from './prisma-listener.store.js';
import { PrismaNotificationStore } from './prisma-notification.store.js';
import { PrismaOutbox } from './prisma-outbox.js';
import { PrismaPollStore } from './prisma-poll.store.js';
import { PrismaRecordStore } from './prisma-record.store.js';
import { PrismaRevocationStore } from './prisma-revocation.store.js';
import { PrismaRoundStore } from './prisma-round.store.js';
import { PrismaSecretStore } from './prisma-secret.store.js';
import { PrismaSignInFailureStore } from './prisma-sign-in-failure.store.js';
import { PrismaSigningKeyStore } from './prisma-signing-key.store.js';
import { PrismaStaticTokenStore } from './prisma-static-token.store.js';
import { PrismaTenantStore } from './prisma-tenant.store.js';
import { RowSweeper } from './row.sweeper.js';
import { rowSweeper } from './sweeps.js';

const STORES = [
  { provide: TenantStore, useClass: PrismaTenantStore },
  { provide: AdminStore, useClass: PrismaAdminStore },
  { provide: Outbox, useClass: PrismaOutbox },
  { provide: ListenerStore, useClass: PrismaListenerStore },
  { provide: SecretStore, useClass: PrismaSecretStore },
  { provide: NotificationStore, useClass: PrismaNotificationStore },
  { provide: PollStore, useClass: PrismaPollStore },
  { provide: RoundStore, useClass: PrismaRoundStore },
  { provide: RevocationStore, useClass: PrismaRevocationStore },
  { provide: StaticTokenStore, useClass: PrismaStaticTokenStore },
  { provide: AccountStore, useClass: PrismaAccountStore },
  { provide: ClientStore, useClass: PrismaClientStore },
  { provide: GrantStore, useClass: PrismaGrantStore },
  { provide: RecordStore, useClass: PrismaRecordStore },
  { provide: SigningKeyStore, useClass: PrismaSigningKeyStore },
  { provide: SignInFailureStore, useClass: PrismaSignInFailureStore },
];

/** The stores of the stages, on a database that is up to date before anything that injects them is made. */
@Module({})
export class PersistenceModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly sweeper: RowSweeper,
  ) {}

  static register(options: DatabaseOptions): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => openUpToDate(options) }, ...STORES, rowSweeper],
      exports: [Database, ...STORES.map(({ provide }) => provide)],
    };
  }

  onApplicationBootstrap(): void {
    this.sweeper.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeper.stop();
    await this.database.close();
  }
}

async function openUpToDate(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  try {
    const applied = await applyMigrations(database);
    if (applied.length > 0) new Logger(PersistenceModule.name).log(`Applied migrations: ${applied.join(', ')}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
