import { hash } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { JsonObject } from '#protocol/json.js';
import type { PurposeKey } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import type { NewRecord, RecordRow, RecordStore } from '../stores/record.store.js';

/** A refresh token may be used again for so long by processes of one agent that refresh at once, in milliseconds. */
export const REFRESH_GRACE_MS = 60_000;
/** A code that comes again within this is refused; one that comes later ends the grant (RFC 9700 section 4.5). */
const REPEATED_CODE_MS = 10_000;

/** What the provider writes into these holds ids of others: a session's, a device's. */
const SEALED_KINDS: ReadonlySet<string> = new Set(['Interaction', 'DeviceCode']);

export function idHash(id: string): string {
  return hash('sha256', id, 'base64url');
}

/**
 * What the provider remembers, under hashes of its ids and without them, so that who reads the table cannot use what is
 * in it. Using up is atomic over all nodes.
 */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly issuer: string,
    private readonly kind: string,
    private readonly records: RecordStore,
    private readonly keys: readonly [PurposeKey, ...PurposeKey[]],
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    await this.records.save({ ...this.key(id), ...this.columns(id, payload, expiresIn) });
    if (this.kind === 'ReplayDetection' && !(await this.records.consume(this.key(id), 0))) {
      throw new errors.InvalidClientAuth('client assertion tokens must only be used once'); // another node was first
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.restore(await this.records.find(this.key(id)), id);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.restore(await this.records.findByUserCode(this.issuer, idHash(userCode)), undefined);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.restore(await this.records.findByUid(this.issuer, idHash(uid)), undefined);
  }

  async consume(id: string): Promise<void> {
    const grace = this.kind === 'RefreshToken' ? REFRESH_GRACE_MS : 0;
    if (!(await this.records.consume(this.key(id), grace))) {
      throw new errors.InvalidGrant(`${this.kind} was used already`);
    }
  }

  async destroy(id: string): Promise<void> {
    await this.records.remove(this.key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.records.removeOfGrant(this.issuer, this.kind, grantId);
  }

  private key(id: string): Pick<NewRecord, 'issuer' | 'kind' | 'idHash'> {
    return { issuer: this.issuer, kind: this.kind, idHash: idHash(id) };
  }

  private columns(
    id: string,
    payload: AdapterPayload,
    expiresIn: number,
  ): Omit<NewRecord, 'issuer' | 'kind' | 'idHash'> {
    return {
      payload: this.hide({ ...payload, jti: id }),
      grantId: payload.grantId ?? null,
      accountId: payload.accountId ?? null,
      userCodeHash: payload.userCode === undefined ? null : idHash(payload.userCode),
      uidHash: payload.uid === undefined ? null : idHash(payload.uid),
      expiresAt: new Date(Date.now() + expiresIn * 1_000),
    };
  }

  private restore(row: RecordRow | undefined, id: string | undefined): AdapterPayload | undefined {
    if (!row) return undefined;
    const payload = this.show(row.payload, id);
    if (!payload) return undefined;
    if (row.consumedMsAgo === null || row.consumedMsAgo <= this.leniencyMs()) return payload;
    return { ...payload, consumed: row.consumedAt?.getTime() };
  }

  private hide({ jti, ...rest }: AdapterPayload): JsonObject {
    if (!SEALED_KINDS.has(this.kind)) return rest as JsonObject;
    return { sealed: sealText(this.keys, JSON.stringify({ ...rest, jti }), this.binding()) };
  }

  /** What was sealed brings its id along. */
  private show(kept: JsonObject, id: string | undefined): AdapterPayload | undefined {
    if (!SEALED_KINDS.has(this.kind)) return { ...kept, ...(id !== undefined && { jti: id }) };
    const text = typeof kept['sealed'] === 'string' ? openText(this.keys, kept['sealed'], this.binding()) : undefined;
    return text === undefined ? undefined : (JSON.parse(text) as AdapterPayload);
  }

  private binding(): string {
    return `${this.issuer} ${this.kind}`;
  }

  /** For so long the provider is not told that it is used up: it would end the grant. `consume` still decides. */
  private leniencyMs(): number {
    return this.kind === 'RefreshToken' ? REFRESH_GRACE_MS : REPEATED_CODE_MS;
  }
}
