import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { JsonObject } from '#protocol/json.js';
import type { GrantRecord, GrantStore } from '../stores/grant.store.js';

/** What the adapter needs to know besides its store. */
export interface GrantPlaces {
  readonly issuer: string;
  /** The id of the tenant whose resource this is, null for the platform's; undefined when it is nobody's at this issuer. */
  tenantIdOf(resource: string): Promise<string | null | undefined>;
  /** Told of each grant that ended. */
  onRevoked(tenantId: string, grantId: string): void;
}

/** Grants, one for each account, client and resource. */
export class GrantAdapter implements Adapter {
  constructor(
    private readonly places: GrantPlaces,
    private readonly grants: GrantStore,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { jti: _jti, accountId = '', clientId = '', ...rest } = payload;
    const resource = resourceOf(payload);
    const tenantId = await this.places.tenantIdOf(resource);
    if (tenantId === undefined) throw new Error('A grant is for a resource of its issuer.');
    const expiresAt = new Date(Date.now() + expiresIn * 1_000);
    const { issuer } = this.places;
    const kept = { ...rest, accountId, clientId } as unknown as JsonObject;
    await this.grants.save({ id, issuer, tenantId, accountId, clientId, resource, payload: kept, expiresAt });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.grants.find(this.places.issuer, id);
    return record && asPayload(record);
  }

  async destroy(id: string): Promise<void> {
    for (const { tenantId, subject } of await this.grants.revoke(this.places.issuer, id)) {
      this.places.onRevoked(tenantId, subject);
    }
  }

  consume = unused;
  findByUserCode = unused;
  findByUid = unused;
  revokeByGrantId = unused;
}

export function asPayload({ id, payload }: GrantRecord): AdapterPayload {
  return { ...payload, jti: id };
}

/** Grants name one resource each: the policy sees to it. */
function resourceOf(payload: AdapterPayload): string {
  const { resources, rejected } = payload as { resources?: object; rejected?: { resources?: object } };
  const [resource = ''] = [...Object.keys(resources ?? {}), ...Object.keys(rejected?.resources ?? {})];
  return resource;
}

function unused(): Promise<undefined> {
  return Promise.reject(new Error('The provider does not do this with grants.'));
}
