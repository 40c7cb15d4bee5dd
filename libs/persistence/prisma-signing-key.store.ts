import { Injectable } from '@nestjs/common';
import { SigningKeyStore } from '#authorization/stores/signing-key.store.js';
import type { SigningKeyRecord } from '#authorization/stores/signing-key.store.js';
import { Database } from './database.js';

/** Any number that no other advisory lock of this platform has. */
const SIGNING_KEY_LOCK = 72_707_370;

/** Signing keys in Postgres, sealed. */
@Injectable()
export class PrismaSigningKeyStore extends SigningKeyStore {
  constructor(private readonly database: Database) {
    super();
  }

  async all(): Promise<readonly SigningKeyRecord[]> {
    const rows = await this.database.client.signingKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    return rows as SigningKeyRecord[];
  }

  /** The second statement sees what was committed before the lock was given: each has a snapshot of its own. */
  async addUnlessNewer({ id, algorithm, sealed }: Omit<SigningKeyRecord, 'createdAt'>, since: Date): Promise<boolean> {
    const { client } = this.database;
    const [, added] = await client.$transaction([
      client.$executeRaw`SELECT pg_advisory_xact_lock(${SIGNING_KEY_LOCK})`,
      client.$executeRaw`
        INSERT INTO signing_keys (id, algorithm, sealed)
        SELECT ${id}, ${algorithm}, ${sealed}
        WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE algorithm = ${algorithm} AND created_at > ${since})`,
    ]);
    return added > 0;
  }

  async reseal(id: string, sealed: string): Promise<void> {
    await this.database.client.signingKey.updateMany({ where: { id }, data: { sealed } });
  }

  async remove(id: string): Promise<void> {
    await this.database.client.signingKey.deleteMany({ where: { id } });
  }
}
