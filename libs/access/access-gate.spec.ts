import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isRejection, type Rejection } from '#protocol/errors.js';
import { placeOf, type PlaceSetup } from '../../test/support/guarded-place.js';
import { AccessGate } from './access-gate.js';
import type { Caller } from './caller.js';
import type { GuardedPlace } from './challenges.js';
import { NO_CREDENTIALS } from './credentials.js';
import type { TokenRefusal, TokenVerifier, VerifiedToken } from './token-verifier.js';

/** A verifier that says what a test wants, when the test wants it. */
class Scripted implements TokenVerifier {
  looks = 0;
  answer: VerifiedToken | TokenRefusal | Error = token();
  gate: Promise<void> = Promise.resolve();

  async verify(): Promise<VerifiedToken | TokenRefusal> {
    this.looks += 1;
    await this.gate;
    if (this.answer instanceof Error) throw this.answer;
    return this.answer;
  }
}

function token(changes: Partial<VerifiedToken> = {}): VerifiedToken {
  return {
    subject: 'ada',
    clientId: 'host',
    scopes: new Set(['files:write']),
    expiresAt: Date.now() + 3_600_000,
    revocation: 'grant-1',
    ...changes,
  };
}

function setUp(options: { tokensInMemory?: number } = {}) {
  const [embedded, external, issuedByAdmin] = [new Scripted(), new Scripted(), new Scripted()];
  const failures: unknown[] = [];
  const gate = new AccessGate(
    { embedded, external, issuedByAdmin },
    { tokensInMemory: options.tokensInMemory ?? 100, onFailure: (error) => failures.push(error) },
  );
  const show = (place: GuardedPlace, text = 'abc') =>
    gate.admit(place, { ...NO_CREDENTIALS, authorization: `Bearer ${text}` });
  return { gate, embedded, external, issuedByAdmin, failures, show };
}

const challengeOf = (answer: unknown) => (answer as Rejection).challenge;
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/t/acme/mcp';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the gate of an open tenant', () => {
  it('lets everybody in as its anonymous principal, whatever they show', () => {
    const { gate, show } = setUp();
    const open = placeOf({ access: 'open' });
    for (const caller of [gate.admit(open, NO_CREDENTIALS), show(open)] as Caller[]) {
      expect(caller.principal).toMatchObject({ tenantId: 'id-of-acme', subject: 'anonymous', clientId: undefined });
      expect(caller.grant.canStepUp).toBe(false);
    }
  });
});

describe('the gate of a tenant that wants tokens', () => {
  it('says where to get one, and for which scopes, to who has none', () => {
    const { gate } = setUp();
    const ask = (setup: PlaceSetup) => challengeOf(gate.admit(placeOf(setup), NO_CREDENTIALS));
    const scopes = ['files:read', 'files:write'];
    expect(ask({ scopes })).toEqual({ resourceMetadata: METADATA, scope: ['mcp', 'files:read', 'files:write'] });
    expect(ask({ scopes, policy: { baseline: ['files:read'] } })?.scope).toEqual(['mcp', 'files:read']);
    expect(ask({ scopes, access: 'tokens' })).toEqual({ scope: [] });
  });

  it.each([
    [{ authorization: 'Basic YTpi' }, 'invalid_request'],
    [{ authorization: 'Bearer a', repeated: true }, 'invalid_request'],
    [{ authorization: undefined, inQuery: true }, 'invalid_request'],
    [{ authorization: `Bearer ${'a'.repeat(9_000)}` }, 'invalid_request'],
    [{ authorization: 'Bearer a b' }, 'invalid_token'],
  ])('refuses %j without looking', (credentials, error) => {
    const { gate, embedded } = setUp();
    const refusal = gate.admit(placeOf(), { ...NO_CREDENTIALS, ...credentials });
    expect(refusal).toMatchObject({ kind: 'unauthorized', challenge: { error, resourceMetadata: METADATA } });
    expect(embedded.looks).toBe(0);
  });

  it('says no more of a token than whether it has expired', async () => {
    const { embedded, show } = setUp();
    embedded.answer = 'expired';
    expect(challengeOf(await show(placeOf()))).toEqual({
      error: 'invalid_token',
      description: 'The access token has expired.',
      resourceMetadata: METADATA,
    });
    embedded.answer = 'invalid';
    expect(challengeOf(await show(placeOf()))?.description).toBe('The access token is not valid here.');
  });

  it('has each kind of token looked at by who knows it', async () => {
    const { embedded, external, issuedByAdmin, show } = setUp();
    await show(placeOf({ slug: 'a' }));
    await show(placeOf({ slug: 'b', policy: { externalIssuer: { issuer: 'https://id.example' } } }));
    await show(placeOf({ slug: 'c', access: 'tokens' }));
    expect([embedded.looks, external.looks, issuedByAdmin.looks]).toEqual([1, 1, 1]);
  });

  it('tells that it cannot tell', async () => {
    const { embedded, failures, show } = setUp();
    embedded.answer = new Error('no keys');
    expect(await show(placeOf())).toMatchObject({ kind: 'unavailable' });
    expect(failures).toEqual([embedded.answer]);
    embedded.answer = token();
    expect(isRejection((await show(placeOf())) as object)).toBe(false);
  });
});

describe('a token that was verified', () => {
  it('is let in without waiting from then on, at this place alone', async () => {
    const { embedded, show } = setUp();
    const place = placeOf();
    const first = await show(place);
    expect(show(place)).toBe(first);
    expect(embedded.looks).toBe(1);
    expect(show(placeOf(), 'abd')).toBeInstanceOf(Promise);
    expect(show(placeOf({ slug: 'other' }))).toBeInstanceOf(Promise);
    const moved = placeOf();
    expect(show({ ...moved, address: { ...moved.address, resource: 'https://other.example/mcp' } })).toBeInstanceOf(
      Promise,
    );
  });

  it('is looked at once, however many requests bring it at once', async () => {
    const { embedded, show } = setUp();
    const callers = await Promise.all(Array.from({ length: 20 }, async () => show(placeOf())));
    expect(new Set(callers.map((caller) => (caller as Caller).principal.subject))).toEqual(new Set(['ada']));
    expect(embedded.looks).toBe(1);
  });

  it('is looked at again when it expires, and after ten minutes', async () => {
    const { embedded, show } = setUp();
    const start = Date.now();
    embedded.answer = token({ expiresAt: start + 60_000 });
    await show(placeOf());
    jest.spyOn(Date, 'now').mockReturnValue(start + 60_001);
    embedded.answer = 'expired';
    expect(await show(placeOf())).toMatchObject({ kind: 'unauthorized' });
    embedded.answer = token({ expiresAt: Infinity });
    await show(placeOf());
    jest.spyOn(Date, 'now').mockReturnValue(start + 60_001 + 600_000);
    expect(show(placeOf())).toBeInstanceOf(Promise);
  });

  it('is not let in after a revocation', async () => {
    const { gate, embedded, show } = setUp();
    await show(placeOf());
    gate.forget({ tenantId: 'id-of-acme', subject: 'grant-2' });
    expect(show(placeOf())).not.toBeInstanceOf(Promise);
    gate.forget({ tenantId: 'id-of-acme', subject: 'grant-1' });
    embedded.answer = 'invalid';
    expect(await show(placeOf())).toMatchObject({ kind: 'unauthorized' });
  });

  it('is not remembered when a revocation comes while it is looked at', async () => {
    const { gate, embedded, show } = setUp();
    let open = (): void => undefined;
    embedded.gate = new Promise((resolve) => (open = resolve));
    const running = show(placeOf());
    gate.forget({ tenantId: 'id-of-acme', subject: 'grant-1' });
    open();
    await running;
    expect(show(placeOf())).toBeInstanceOf(Promise);
  });

  it('permits what the tenant says now, without another look', async () => {
    const { embedded, show } = setUp();
    const before = (await show(placeOf())) as Caller;
    expect(before.grant.permits(['audit:read'])).toBe(false);
    const policy = { scopes: [{ name: 'files:write', implies: ['audit'] }] };
    const after = show(placeOf({ policy })) as Caller;
    expect([after.grant.permits(['audit:read']), after.principal.scopes.has('audit')]).toEqual([true, true]);
    const again = show(placeOf()) as Caller;
    expect(again.grant.permits(['audit:read'])).toBe(false);
    expect(embedded.looks).toBe(1);
  });

  it.each<[string, PlaceSetup]>([
    ['wants static tokens now', { access: 'tokens' }],
    ['has another issuer now', { policy: { externalIssuer: { issuer: 'https://id.example' } } }],
  ])('is looked at anew when the tenant %s', async (_what, setup) => {
    const { external, issuedByAdmin, show, gate } = setUp();
    const caller = (await show(placeOf())) as Caller;
    external.answer = issuedByAdmin.answer = 'invalid';
    expect(await show(placeOf(setup))).toMatchObject({ kind: 'unauthorized' });
    expect(gate.renew(caller, placeOf(setup).tenant)).toBeUndefined();
  });

  it('keeps nobody in a tenant that is open now, nor the anonymous in one that is closed', async () => {
    const { gate, show } = setUp();
    const open = placeOf({ access: 'open' });
    expect(gate.renew((await show(placeOf())) as Caller, open.tenant)).toBeUndefined();
    const anonymous = gate.admit(open, NO_CREDENTIALS) as Caller;
    expect(gate.renew(anonymous, open.tenant)).toBe(anonymous);
    expect(gate.renew(anonymous, placeOf().tenant)).toBeUndefined();
  });

  it('is forgotten when there are too many', async () => {
    const { show, gate } = setUp({ tokensInMemory: 2 });
    for (const text of ['a', 'b', 'c']) await show(placeOf(), text);
    expect(['a', 'b', 'c'].filter((text) => !(show(placeOf(), text) instanceof Promise))).toHaveLength(2);
    gate.forgetAll();
    expect(show(placeOf(), 'c')).toBeInstanceOf(Promise);
  });
});

describe('a connection that brings the same token again', () => {
  const connection = {};
  const on = (gate: AccessGate, place: GuardedPlace, more: object = {}) =>
    gate.admit(place, { ...NO_CREDENTIALS, authorization: 'Bearer abc', connection, ...more });

  it('is known without waiting, until the token is revoked', async () => {
    const { gate, embedded } = setUp();
    const place = placeOf();
    const first = await on(gate, place);
    expect(on(gate, place)).toBe(first);
    gate.forget({ tenantId: 'id-of-acme', subject: 'grant-1' });
    embedded.answer = 'invalid';
    expect(await on(gate, place)).toMatchObject({ kind: 'unauthorized' });
    expect(embedded.looks).toBe(2);
  });

  it('is known nowhere else for it, nor with anything else wrong', async () => {
    const { gate, embedded } = setUp();
    await on(gate, placeOf());
    embedded.answer = 'invalid';
    expect(await on(gate, placeOf({ slug: 'other' }))).toMatchObject({ kind: 'unauthorized' });
    await on(gate, placeOf());
    expect(on(gate, placeOf(), { repeated: true })).toMatchObject({ kind: 'unauthorized' });
    expect(on(gate, placeOf(), { inQuery: true })).toMatchObject({ kind: 'unauthorized' });
    expect(await on(gate, placeOf(), { authorization: 'Bearer abd' })).toMatchObject({ kind: 'unauthorized' });
    expect(on(gate, placeOf(), { authorization: undefined })).toMatchObject({ kind: 'unauthorized' });
  });
});
