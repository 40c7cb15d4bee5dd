import { Injectable } from '@nestjs/common';
import { type SealedSecret, SecretStore } from '#sources/secrets/secret.store.js';
import { Database } from './database.js';

/** Sealed secrets in Postgres. */
@Injectable()
export class PrismaSecretStore extends SecretStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(tenantId: string, name: string): Promise<SealedSecret | undefined> {
    const where = { tenantId_name: { tenantId, name } };
    const select = { name: true, sealed: true };
    return (await this.database.client.secret.findUnique({ where, select })) ?? undefined;
  }
}
