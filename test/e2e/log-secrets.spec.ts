import { expect, it } from '@jest/globals';
import { asPage, basic, type EndpointAnswer, OAuthClient, register } from '../support/oauth-client.js';
import { Person } from '../support/person.js';
import { type ServerProcess, startProcess } from '../support/server-process.js';
import { send } from '../support/wire.js';

const EMAIL = 'owner@example.com';
const PASSWORD = 'a-password-that-nobody-logs';
const WRONG_PASSWORD = 'a-wrong-password-that-nobody-logs';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Everything that the platform issued or was told, and that lets somebody in. */
class Secrets {
  readonly texts = new Set<string>([PASSWORD, WRONG_PASSWORD]);

  keep(...texts: readonly unknown[]): void {
    for (const text of texts) if (typeof text === 'string' && text !== '') this.texts.add(text);
  }

  keepTokens({ body }: EndpointAnswer): string {
    const token: string = body['access_token'];
    this.keep(token, token.split('.')[2], body['refresh_token'], body['id_token']);
    return token;
  }
}

it('logs no password, code, token, secret or cookie, whatever goes right or wrong', async () => {
  const secrets = new Secrets();
  let log = '';
  const environment = { LOG_LEVEL: 'trace', OWNER_EMAIL: EMAIL, OWNER_PASSWORD: PASSWORD, OAUTH_RATE_FACTOR: '100' };
  {
    await using node = await startProcess(environment, (text) => (log += text));
    await connect(node, secrets);
    await connectDevice(node, secrets);
    await connectWithSecret(node, secrets);
    await sendNonsense(node, secrets);
  }
  expect(log).toContain('"level":"debug"');
  expect([...secrets.texts].filter((text) => log.includes(text))).toEqual([]);
  expect(log).not.toContain('"level":"error"');
});

const resourceOf = ({ url }: ServerProcess): string => `${url}/t/demo-secure/mcp`;

/** A person signs in, not at the first try; the client uses what it gets, again, and where it does not belong. */
async function connect(node: ServerProcess, secrets: Secrets): Promise<void> {
  const person = new Person(EMAIL, PASSWORD);
  const client = await OAuthClient.register(node.url);
  const url = client.authorizationUrl({ resource: resourceOf(node), scope: 'openid notes:read' });
  await person.signIn(asPage(await person.open(url)), WRONG_PASSWORD);
  const callback = await person.authorize(url);
  const code = callback.searchParams.get('code')!;
  secrets.keep(code, ...cookiesOf(person, node));

  const token = secrets.keepTokens(await client.redeem(code));
  await client.redeem(code);
  const fresh = await OAuthClient.register(node.url);
  const { body } = await fresh.redeem(code);
  expect(body['error']).toBe('invalid_grant');
  for (const path of ['', `?access_token=${token}`]) {
    for (const method of ['tools/call', 'tools/list', 'no/such']) {
      const headers = { authorization: `Bearer ${token}` };
      await send(`${resourceOf(node)}${path}`, { method, params: { name: 'write_note' }, headers });
    }
  }
  await send(`${node.url}/t/demo/mcp`, { method: 'tools/list', headers: { authorization: `Bearer ${token}x` } });
  await fetch(`${node.url}/healthz?access_token=${token}`, { headers: { authorization: `Bearer ${token}` } });
  await client.post('/revoke', { token });
}

function cookiesOf(person: Person, { url }: ServerProcess): readonly string[] {
  return person
    .cookieFor(new URL('/interaction/x', url))
    .split('; ')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
}

async function connectDevice(node: ServerProcess, secrets: Secrets): Promise<void> {
  const client = await OAuthClient.register(node.url, {
    grant_types: [DEVICE_GRANT],
    redirect_uris: ['http://127.0.0.1/'],
  });
  const { body: device } = await client.post('/device/authorize', { resource: resourceOf(node) });
  secrets.keep(device['device_code'], device['user_code']);
  const person = new Person(EMAIL, PASSWORD);
  const form = asPage(await person.open(device['verification_uri_complete']));
  const confirm = asPage(await person.submit(form, '/device'));
  const signIn = asPage(await person.submit(confirm, '/device'));
  await person.decide(asPage(await person.signIn(signIn)), 'allow');
  secrets.keep(...cookiesOf(person, node));
  secrets.keepTokens(await client.post('/token', { grant_type: DEVICE_GRANT, device_code: device['device_code'] }));
}

async function connectWithSecret(node: ServerProcess, secrets: Secrets): Promise<void> {
  const { body } = await register(node.url, { token_endpoint_auth_method: 'client_secret_basic' });
  const { client_id: id, client_secret: secret } = body;
  secrets.keep(secret, basic(id, secret).authorization.slice('Basic '.length));
  const client = new OAuthClient(node.url, id, undefined, {});
  const token = 'a-token-that-nobody-knows';
  secrets.keep(token);
  expect((await client.post('/introspect', { token }, basic(id, secret))).body).toEqual({ active: false });
  await client.post('/introspect', { token }, basic(id, `${secret}x`));
  await client.post('/token', { grant_type: 'refresh_token', refresh_token: token }, basic(id, secret));
}

/** Values that a database does not take, next to secrets. */
async function sendNonsense(node: ServerProcess, secrets: Secrets): Promise<void> {
  const client = await OAuthClient.register(node.url);
  for (const text of ['\0', '\ud800', '💥', 'x'.repeat(20_000)]) {
    const code = `a-code-that-nobody-logs-${text}`;
    secrets.keep(code.slice(0, 23));
    const person = new Person(`${text}@example.com`, `${WRONG_PASSWORD}${text}`);
    const page = asPage(await person.open(client.authorizationUrl({ resource: resourceOf(node) })));
    const answers = [
      asPage(await person.signIn(page)),
      await client.redeem(code),
      await client.refresh(code),
      await client.post('/revoke', { token: code }),
      await client.post('/token', { grant_type: DEVICE_GRANT, device_code: code }),
      await client.post('/token', { grant_type: 'authorization_code', code, client_id: `${client.id}${text}` }),
      await client.post('/device/authorize', { resource: `${resourceOf(node)}${text}`, client_id: `${text}x` }),
    ];
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  }
}
