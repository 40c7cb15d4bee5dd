import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { placeOf } from '../../test/support/guarded-place.js';
import type { Revocation } from './revocation.store.js';
import type { NewStaticToken, StaticTokenRecord } from './static-token.store.js';
import { StaticTokens } from './static-tokens.js';

/** A store in memory that keeps what it is given. */
class Shelf {
  readonly rows: (StaticTokenRecord & { readonly hash: string; revokedAt: Date | null })[] = [];

  async create(token: NewStaticToken): Promise<StaticTokenRecord> {
    const row = { ...token, id: `id-${this.rows.length + 1}`, createdAt: new Date(), revokedAt: null };
    this.rows.push(row);
    return row;
  }

  async findByHash(tenantId: string, hash: string): Promise<StaticTokenRecord | undefined> {
    return this.rows.find((row) => row.tenantId === tenantId && row.hash === hash);
  }

  async revoke(tenantId: string, id: string): Promise<boolean> {
    const row = this.rows.find((one) => one.tenantId === tenantId && one.id === id);
    if (row) row.revokedAt = new Date();
    return row !== undefined;
  }
}

const place = placeOf({ access: 'tokens' });

function setUp() {
  const shelf = new Shelf();
  const announced: Revocation[] = [];
  const tokens = new StaticTokens(shelf, async (revocation) => void announced.push(revocation));
  const issue = (more: Partial<NewStaticToken> = {}) =>
    tokens.issue({ tenantId: place.tenant.id, name: 'robot', scopes: ['files'], expiresAt: null, ...more });
  return { shelf, announced, tokens, issue };
}

describe('a static token', () => {
  it('is shown once and kept as a hash', async () => {
    const { shelf, issue } = setUp();
    const [{ token }, other] = [await issue(), await issue()];
    expect(token).toMatch(/^cwt_[A-Za-z0-9_-]{43}$/);
    expect(other.token).not.toBe(token);
    expect(JSON.stringify(shelf.rows)).not.toContain(token.slice(4));
    expect(shelf.rows[0]?.hash).toBe(createHash('sha256').update(token).digest('base64url'));
  });

  it('is good for its tenant, with its scopes', async () => {
    const { tokens, issue } = setUp();
    const { token } = await issue();
    expect(await tokens.verify(token, place)).toEqual({
      subject: 'token:id-1',
      clientId: undefined,
      scopes: new Set(['files']),
      expiresAt: Infinity,
      revocation: 'static:id-1',
    });
    expect(await tokens.verify(token, placeOf({ slug: 'other', access: 'tokens' }))).toBe('invalid');
  });

  it('expires', async () => {
    const { tokens, issue } = setUp();
    expect(await tokens.verify((await issue({ expiresAt: new Date(Date.now() - 1) })).token, place)).toBe('expired');
    expect(typeof (await tokens.verify((await issue({ expiresAt: new Date(Date.now() + 60_000) })).token, place))).toBe(
      'object',
    );
  });

  it('is stopped by a revocation, which is announced', async () => {
    const { tokens, issue, announced } = setUp();
    const { token, record } = await issue();
    expect(await tokens.revoke('another', record.id)).toBe(false);
    expect(announced).toEqual([]);
    expect(await tokens.revoke(place.tenant.id, record.id)).toBe(true);
    expect(announced).toEqual([{ tenantId: place.tenant.id, subject: 'static:id-1' }]);
    expect(await tokens.verify(token, place)).toBe('invalid');
  });

  it.each(['', 'cwt_', `cwt_${'a'.repeat(42)}`, `cwt_${'a'.repeat(44)}`, 'a.b.c', `CWT_${'a'.repeat(43)}`])(
    'is not %j',
    async (token) => {
      expect(await setUp().tokens.verify(token, place)).toBe('invalid');
    },
  );
});
