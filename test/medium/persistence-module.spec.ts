import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { TenantStore } from '#tenancy/tenant.store.js';
import { RoundStore } from '#invocation/round.store.js';
import { Database } from '#persistence/database.js';
import { PersistenceModule } from '#persistence/persistence.module.js';

@Injectable()
class Consumer {
  constructor(
    readonly tenants: TenantStore,
    readonly rounds: RoundStore,
    readonly database: Database,
  ) {}
}

@Module({ providers: [Consumer] })
class ConsumerModule {}

describe('the persistence module', () => {
  it('gives every module stores on an up-to-date database, and closes it at shutdown', async () => {
    const imports = [ConsumerModule, PersistenceModule.register({ memory: true })];
    const app = await Test.createTestingModule({ imports }).compile();
    app.useLogger(false);
    await app.init();
    const { tenants, rounds, database } = app.get(Consumer, { strict: false });
    expect(tenants).toBeInstanceOf(TenantStore);
    expect(rounds).toBeInstanceOf(RoundStore);
    expect(await tenants.isEmpty()).toBe(true);
    await app.close();
    await expect(database.ping()).rejects.toThrow();
  });
});
