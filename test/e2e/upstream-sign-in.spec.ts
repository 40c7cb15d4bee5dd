import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { secretBinding } from '#authorization/upstream/upstream-providers.js';
import { ChangeBus } from '#events/change.bus.js';
import { KeyRing } from '#protocol/key-ring.js';
import { sealText } from '#protocol/sealed-text.js';
import type { AccessPolicyInput } from '#tenancy/access-policy.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { asPage, asRedirect, claimsOf, OAuthClient } from '../support/oauth-client.js';
import { type Page, Person, textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, runSecureDemo, secureTenant } from '../support/secure-demo.js';
import { runUpstreamProvider, type UpstreamProviderServer } from '../support/upstream-provider.js';
import { send } from '../support/wire.js';

const SECRET_KEY = randomBytes(32);
const SLUGS = ['corp', 'closed', 'second', 'broken', 'lost'];

let upstream: UpstreamProviderServer;
let demo: RunningServer;
let client: OAuthClient;

beforeAll(async () => {
  upstream = await runUpstreamProvider();
  demo = await runSecureDemo({
    tenants: SLUGS.map(secureTenant),
    environment: { OAUTH_RATE_FACTOR: '100', OUTBOUND_ALLOW: '127.0.0.0/8', SECRET_KEY: SECRET_KEY.toString('base64') },
  });
  await upstream.serve(`${demo.server.url}/sign-in/callback`);
  await signInBy('corp', { newcomerRole: 'member' }, { passwordSignIn: false });
  await signInBy('closed', {});
  await signInBy('broken', { sealedSecret: await sealedFor('corp') });
  await signInBy('lost', { issuer: 'http://127.0.0.1:9' });
  client = await OAuthClient.register(demo.server.url);
});

beforeEach(() => {
  upstream.person = { subject: 'ada', name: 'Ada', email: 'ada@corp.example' };
});

afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

async function sealedFor(slug: string): Promise<string> {
  const tenant = await demo.server.app.get(TenantStore).findBySlug(slug);
  const keys = new KeyRing([SECRET_KEY]).derive('upstream secret');
  return sealText(keys, upstream.clientSecret, secretBinding(tenant!.id));
}

/** Has a tenant's people sign in at the provider. */
async function signInBy(slug: string, provider: object, more: AccessPolicyInput = {}): Promise<void> {
  const store = demo.server.app.get(TenantStore);
  const { id, accessPolicy } = (await store.findBySlug(slug))!;
  const { issuer, clientId } = upstream;
  const sealedSecret = await sealedFor(slug);
  const upstreamProvider = { issuer, clientId, sealedSecret, label: 'Corp', ...provider };
  const changed = { ...accessPolicy, ...more, upstreamProvider } as AccessPolicyInput;
  const { revision } = (await store.setAccess(id, { accessPolicy: changed }))!;
  await demo.server.app.get(ChangeBus).publish({ type: 'catalogue', tenantId: id, slug, revision });
}

const newPerson = (): Person => new Person('nobody@example.com', 'no password');
const open = async (person: Person, slug: string): Promise<Page> =>
  asPage(await person.open(client.authorizationUrl({ resource: demo.url(slug) })));

/** Follows the link to the provider; the URL with which it sends the person back. */
async function askProvider(person: Person, page: Page): Promise<URL> {
  const [, link = ''] = /href="(\/interaction\/[^"]+\/upstream)"/.exec(page.text) ?? [];
  return asRedirect(await person.open(asRedirect(await person.open(new URL(link, page.url)))));
}

/** Signs in by the provider, to the page that comes then. */
async function signIn(person: Person, slug: string): Promise<Page> {
  return asPage(await person.open(await askProvider(person, await open(person, slug))));
}

async function tokensOf(person: Person, slug: string): Promise<Record<string, any>> {
  const back = asRedirect(await person.decide(await signIn(person, slug), 'allow'));
  return (await client.redeem(back.searchParams.get('code')!)).body;
}

const statusAt = async (slug: string, token: string): Promise<number> =>
  (await send(demo.url(slug), { method: 'tools/list', headers: { authorization: `Bearer ${token}` } })).status;

describe('people of a tenant with a provider of its own', () => {
  it('sign in there, get the role of newcomers, and are asked whether they allow it', async () => {
    const person = newPerson();
    const page = await signIn(person, 'corp');
    expect(textOf(page.text)).toMatch(/Allow access to .* Signed in as ada@corp\.example/);
    const back = asRedirect(await person.decide(page, 'allow'));
    const { body } = await client.redeem(back.searchParams.get('code')!);
    expect(body['scope']).toBe('mcp notes:read');
    expect(await statusAt('corp', body['access_token'])).toBe(200);
  });

  it('are the same when they come again, by another browser too', async () => {
    const [first, again] = [await tokensOf(newPerson(), 'corp'), await tokensOf(newPerson(), 'corp')];
    upstream.person = { subject: 'bob', name: 'Bob', email: 'bob@corp.example' };
    const other = await tokensOf(newPerson(), 'corp');
    const [one, two, three] = [first, again, other].map((tokens) => claimsOf(tokens['access_token'])['sub']);
    expect(two).toBe(one);
    expect(three).not.toBe(one);
  });

  it('are told that they have no access where newcomers get no role', async () => {
    const page = await signIn(newPerson(), 'closed');
    expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining('You have no access to')]);
  });

  it('exist in this tenant alone: elsewhere on the same origin their session does not count', async () => {
    const person = newPerson();
    const tokens = await tokensOf(person, 'corp');
    expect(await statusAt('second', tokens['access_token'])).toBe(401);
    const elsewhere = await open(person, 'second');
    expect(elsewhere.text).toContain('name="password"');
    const quiet = asRedirect(
      await person.open(client.authorizationUrl({ resource: demo.url('second'), prompt: 'none' })),
    );
    expect(quiet.searchParams.get('error')).toBe('login_required');
    expect(textOf((await open(person, 'corp')).text)).toContain('Allow access');
  });

  it('keep a session of their own apart from that of the platform: who signs in next ends it', async () => {
    const { email, password } = await personOf(demo, ['second']);
    const person = new Person(email, password);
    await client.tokens(person, { resource: demo.url('second') });
    expect((await open(person, 'corp')).text).toContain('Continue with');
    expect(textOf((await signIn(person, 'corp')).text)).toContain('Signed in as ada@corp.example');
    expect((await open(person, 'second')).text).toContain('name="password"');
  });

  it('are told when they did not allow it there', async () => {
    const person = newPerson();
    const back = await askProvider(person, await open(person, 'corp'));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const page = asPage(await person.open(back));
    expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining('You are not signed in')]);
  });
});

describe('a tenant that takes no passwords', () => {
  it('does not ask for one, and does not take one', async () => {
    const { email, password } = await personOf(demo, ['corp']);
    const person = new Person(email, password);
    const page = await open(person, 'corp');
    expect(page.text).not.toContain('name="password"');
    const form = page.text.replace('/cancel"', '/sign-in"');
    const refused = asPage(await person.submit({ ...page, text: form }, '/sign-in', { email, password }));
    expect([refused.status, textOf(refused.text)]).toEqual([403, expect.stringContaining('Passwords are not taken')]);
  });
});

describe('an account of the platform', () => {
  it('is not taken over by somebody with its e-mail address at a provider', async () => {
    const accounts = demo.server.app.get(AccountStore);
    const passwordHash = await demo.server.app.get(Passwords).hash('a long password');
    const owner = await accounts.create({ login: 'boss@corp.example', name: 'Boss', passwordHash });
    const { id } = (await demo.server.app.get(TenantStore).findBySlug('closed'))!;
    await accounts.setMembership(id, owner.id, 'owner');
    upstream.person = { subject: 'impostor', name: 'Boss', email: 'boss@corp.example' };
    expect((await signIn(newPerson(), 'closed')).status).toBe(403);
    expect(claimsOf((await tokensOf(newPerson(), 'corp'))['access_token'])['sub']).not.toBe(owner.id);
  });
});

describe('the way back from the provider', () => {
  it('is refused with another state than was sent', async () => {
    const person = newPerson();
    const back = await askProvider(person, await open(person, 'corp'));
    back.searchParams.set('state', 'another');
    const page = asPage(await person.open(back));
    expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining('You are not signed in')]);
    expect((await open(person, 'corp')).text).toContain('Continue with');
  });

  it('can be gone once', async () => {
    const person = newPerson();
    const back = await askProvider(person, await open(person, 'corp'));
    expect(textOf(asPage(await person.open(back)).text)).toContain('Allow access');
    const again = asPage(await person.open(back));
    expect([again.status, textOf(again.text)]).toEqual([400, expect.stringContaining('not begun here')]);
  });

  it('is refused in another browser, whether that began a sign-in of its own or not', async () => {
    const [person, other, another] = [newPerson(), newPerson(), newPerson()];
    const back = await askProvider(person, await open(person, 'corp'));
    const stray = asPage(await other.open(back));
    expect([stray.status, textOf(stray.text)]).toEqual([400, expect.stringContaining('not begun here')]);
    await askProvider(another, await open(another, 'corp'));
    expect(asPage(await another.open(back)).status).toBe(403);
    expect(textOf(asPage(await person.open(back)).text)).toContain('Allow access');
  });

  it('does not go on in the interaction of another', async () => {
    const [person, other] = [newPerson(), newPerson()];
    const page = await open(other, 'corp');
    await signIn(person, 'corp');
    const stray = asPage(await person.open(new URL(`${page.url.pathname}/upstream/finish`, page.url)));
    expect(stray.status).toBe(400);
    const own = asPage(await other.open(new URL(`${page.url.pathname}/upstream/finish`, page.url)));
    expect([own.status, textOf(own.text)]).toEqual([403, expect.stringContaining('cannot sign in here')]);
  });
});

describe('a provider that does not do its part', () => {
  const follow = async (person: Person, page: Page): Promise<Page> => {
    const [, link = ''] = /href="(\/interaction\/[^"]+\/upstream)"/.exec(page.text) ?? [];
    return asPage(await person.open(new URL(link, page.url)));
  };

  it.each(['lost', 'broken'])(
    'is said to be away where it cannot be asked, and a password is still taken: %s',
    async (slug) => {
      const { email, password } = await personOf(demo, [slug]);
      const person = new Person(email, password);
      const page = await follow(person, await open(person, slug));
      expect([page.status, textOf(page.text)]).toEqual([502, expect.stringContaining('Corp does not answer')]);
      expect(textOf(asPage(await person.signIn(page)).text)).toContain('Allow access');
    },
  );

  it('signs nobody in where it goes away in the middle', async () => {
    const person = newPerson();
    const back = await askProvider(person, await open(person, 'corp'));
    await upstream.stop();
    const page = asPage(await person.open(back));
    expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining('did not confirm who you are')]);
  });
});
