import { randomBytes } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { JsonObject } from '#protocol/json.js';
import type { ClientRecord, ClientStore } from '../stores/client.store.js';
import { idHash } from './record.adapter.js';

/** How long the secret of a client is; it is made at random, so one SHA-256 hides it. */
const SECRET_BYTES = 32;

export function makeClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Registered clients. The provider sees the hash of a client's secret in place of the secret; `Client.compareClientSecret`
 * is replaced to suit (see `openProvider`).
 */
export class ClientAdapter implements Adapter {
  /** @param serves whether the issuer serves this tenant */
  constructor(
    private readonly issuer: string,
    private readonly clients: ClientStore,
    private readonly serves: (tenantId: string) => Promise<boolean>,
  ) {}

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { client_secret: secret, client_secret_expires_at: _expires, ...metadata } = payload;
    const secretHash = secret === undefined ? null : idHash(secret);
    await this.clients.save({ id, issuer: this.issuer, tenantId: null, metadata: metadata as JsonObject, secretHash });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.clients.find(id);
    return record && (await this.isHere(record)) ? asPayload(record) : undefined;
  }

  async destroy(id: string): Promise<void> {
    await this.clients.remove(id);
  }

  private async isHere({ issuer, tenantId }: ClientRecord): Promise<boolean> {
    return tenantId === null ? issuer === this.issuer : this.serves(tenantId);
  }

  consume = unused;
  findByUserCode = unused;
  findByUid = unused;
  revokeByGrantId = unused;
}

function asPayload({ id, metadata, secretHash }: ClientRecord): AdapterPayload {
  return {
    ...metadata,
    client_id: id,
    ...(secretHash !== null && { client_secret: secretHash, client_secret_expires_at: 0 }),
  };
}

function unused(): Promise<undefined> {
  return Promise.reject(new Error('The provider does not do this with clients.'));
}
