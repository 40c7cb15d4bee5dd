import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asPage, OAuthClient } from '../support/oauth-client.js';
import { type Page, Person, textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, runSecureDemo } from '../support/secure-demo.js';

/** A person at a network address, as the proxy tells it. */
class PersonAt extends Person {
  constructor(
    readonly address: string,
    { email, password }: Pick<Person, 'email' | 'password'>,
  ) {
    super(email, password);
  }

  override open(url: string | URL, init: RequestInit = {}): Promise<Page | URL> {
    const headers = { ...(init.headers as object), 'x-forwarded-for': this.address };
    return super.open(url, { ...init, headers });
  }
}

let demo: RunningServer;
let client: OAuthClient;

beforeAll(async () => {
  demo = await runSecureDemo({ environment: { TRUSTED_PROXIES: '127.0.0.1', OAUTH_RATE_FACTOR: '100' } });
  client = await OAuthClient.register(demo.server.url);
});

afterAll(async () => demo[Symbol.asyncDispose]());

const newAccount = (): Promise<Person> => personOf(demo, ['demo-secure']);
const start = async (person: Person): Promise<Page> =>
  asPage(await person.open(client.authorizationUrl({ resource: demo.url('demo-secure') })));

/** The page that comes after the form was sent, with the right password unless another is given. */
async function signIn(person: Person, password?: string): Promise<Page> {
  return asPage(await person.signIn(await start(person), password));
}

async function fail(person: Person, times: number): Promise<void> {
  let page = await start(person);
  for (let count = 0; count < times; count += 1) {
    page = asPage(await person.signIn(page, 'wrong'));
    expect(page.status).toBe(401);
  }
}

describe('a sign-in', () => {
  it('waits after eight failures from one address, even with the right password; another address may still', async () => {
    const account = await newAccount();
    await fail(new PersonAt('192.0.2.1', account), 8);
    const page = await signIn(new PersonAt('192.0.2.1', account));
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '900']);
    expect(textOf(page.text)).toContain('Try again in 15 minutes');
    expect(textOf((await signIn(new PersonAt('192.0.2.2', account))).text)).toContain('Allow access');
  });

  it('of a browser that signed in before is not locked out by strangers, at the same address even', async () => {
    const account = await newAccount();
    const owner = new PersonAt('192.0.2.3', account);
    expect(textOf((await signIn(owner)).text)).toContain('Allow access');
    await fail(new PersonAt('192.0.2.3', account), 8);
    expect((await signIn(new PersonAt('192.0.2.3', account))).status).toBe(429);
    const again = asPage(
      await owner.open(client.authorizationUrl({ resource: demo.url('demo-secure'), prompt: 'login' })),
    );
    expect(again.text).toContain('name="password"');
    expect(textOf(asPage(await owner.signIn(again)).text)).toContain('Allow access');
  });

  it('is refused alike whether the account exists, has no access, or does not exist', async () => {
    const [known, stranger] = [await newAccount(), await personOf(demo, [])];
    const nobody = { email: 'nobody@example.com', password: 'x' };
    const pages = [];
    for (const { email, password } of [known, stranger, nobody]) {
      const page = await signIn(new PersonAt('192.0.2.4', { email, password }), 'wrong');
      pages.push([page.status, textOf(page.text)]);
    }
    expect(pages).toEqual(Array(3).fill([401, expect.stringContaining('is not right')]));
    expect(new Set(pages.map(([, text]) => text)).size).toBe(1);
  });

  it('is not begun by a form of another site, nor by one of another sign-in', async () => {
    const account = await newAccount();
    const person = new PersonAt('192.0.2.5', account);
    const page = await start(person);
    const sent = (more: object) =>
      person.open(new URL(`${page.url.pathname}/sign-in`, page.url), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: page.url.origin, ...more },
        body: new URLSearchParams({ email: account.email, password: account.password, csrf: 'x' }).toString(),
      });
    expect(asPage(await sent({})).status).toBe(403);
    const other = await start(new PersonAt('192.0.2.5', account));
    const stolen = asPage(await person.submit({ ...other, url: page.url }, '/sign-in', { email: account.email }));
    expect(stolen.status).toBe(400);
    expect(textOf(asPage(await person.signIn(page)).text)).toContain('Allow access');
  });
});
