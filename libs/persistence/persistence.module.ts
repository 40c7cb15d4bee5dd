import { Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { TenantStore } from '#tenancy/tenant.store.js';
import { RoundStore } from '#invocation/round.store.js';
import { Database, openDatabase } from './database.js';
import type { DatabaseOptions } from './database.js';
import { applyMigrations } from './migrations.js';
import { PrismaRoundStore } from './prisma-round.store.js';
import { PrismaTenantStore } from './prisma-tenant.store.js';
import { RoundSweeper } from './round.sweeper.js';

/** The stores of the stages, on a database that is up to date before anything that injects them is made. */
@Module({})
export class PersistenceModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly sweeper: RoundSweeper,
  ) {}

  static register(options: DatabaseOptions): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [
        { provide: Database, useFactory: () => openUpToDate(options) },
        { provide: TenantStore, useClass: PrismaTenantStore },
        { provide: RoundStore, useClass: PrismaRoundStore },
        RoundSweeper,
      ],
      exports: [Database, TenantStore, RoundStore],
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
