import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AdminKeys } from '#admin/access/admin-keys.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import { StaticTokenStore } from '#access/static-token.store.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { secretBinding } from '#authorization/upstream/upstream-providers.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import { KeyRing } from '#protocol/key-ring.js';
import { openText } from '#protocol/sealed-text.js';
import type { ManageContext } from '#server/manage/context.js';
import { helpFor, readCommand, usage } from '#server/manage/manage.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { inHours, newGrant } from './store-fixtures.js';

describe('the operator', () => {
  let app: INestApplicationContext;
  let context: ManageContext;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'causeway-manage-'));
    app = await NestFactory.createApplicationContext(PersistenceModule.register({ memory: true }), { logger: false });
    context = {
      tenants: app.get(TenantStore),
      accounts: app.get(AccountStore),
      clients: app.get(ClientStore),
      grants: app.get(GrantStore),
      tokens: app.get(StaticTokenStore),
      admin: app.get(AdminStore),
      passwords: new Passwords(),
      keys: new KeyRing([randomBytes(32)]),
      urlOf: (slug) => `https://mcp.example.com/t/${slug}/mcp`,
      readFile: (path) => readFile(path, 'utf8'),
    };
    await manage('tenant add wiki --title Wiki --module notes');
  });
  afterAll(async () => {
    await app.close();
    await rm(directory, { recursive: true });
  });

  /** Runs a command as it is typed, without quotes. */
  async function manage(line: string): Promise<string> {
    return readCommand(line.split(' '))(context);
  }

  const file = async (name: string, content: string): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  };

  it("issues keys to the admin API, an operator's or a tenant's, and stops them", async () => {
    const keys = new AdminKeys(context.admin.rows.keys);
    const [operators = ''] = (await manage('key issue deploy')).split('\n');
    expect(await keys.verify(operators)).toMatchObject({ name: 'deploy', everywhere: ['*'] });
    const [own = ''] = (await manage('key issue ci --tenant wiki --scope sources:write --days 7')).split('\n');
    const { id } = (await context.tenants.findBySlug('wiki'))!;
    const tenants = new Map([[id, ['sources:write']]]);
    expect(await keys.verify(own)).toMatchObject({ everywhere: undefined, tenants });
    await expect(manage('key issue x --scope sources:wrte')).rejects.toThrow('Did you mean "sources:write"?');
    const listed = await manage('key list');
    expect(listed).not.toContain(own);
    const line = listed.split('\n').find((text) => text.startsWith('ci ')) ?? '';
    await manage(`key revoke ${line.split(/\s+/).at(-1)}`);
    expect(await keys.verify(own)).toBe('invalid');
  });

  it('makes a tenant that wants OAuth, and changes how it is reached', async () => {
    expect(await context.tenants.findBySlug('wiki')).toMatchObject({
      title: 'Wiki',
      access: 'oauth',
      activations: [{ module: 'notes' }],
    });
    expect(await manage('tenant add ci --title CI --access tokens')).toBe(
      'The tenant is made: https://mcp.example.com/t/ci/mcp\n' +
        'It has no modules yet: tenant activate ci MODULE\n' +
        'It has no tokens yet: token issue ci --name NAME',
    );
    expect(await manage('tenant add team --title Team --module notes')).toContain('member set team EMAIL --role owner');
    await manage('tenant access ci open');
    expect(await context.tenants.findBySlug('ci')).toMatchObject({ access: 'open', revision: 2 });
  });

  it('lists tenants, and suspends and resumes them', async () => {
    await manage('tenant add shop --title Shop --module notes --module demo');
    expect(await manage('tenant list')).toMatch(
      /^slug +title +access +status +modules\nshop +Shop +oauth +active +demo, notes\n/,
    );
    expect(await manage('tenant suspend shop')).toBe('shop is suspended.');
    expect(await manage('tenant list')).toMatch(/\nshop +Shop +oauth +suspended /);
    expect(await manage('tenant resume shop')).toBe('shop is active.');
    expect(await context.tenants.findBySlug('shop')).toMatchObject({ status: 'active', revision: 3 });
  });

  it('switches modules on and off', async () => {
    const modules = async () => (await context.tenants.findBySlug('shop'))?.activations.map(({ module }) => module);
    expect(await manage('tenant activate shop library')).toBe('library is active in shop.');
    expect(await modules()).toEqual(['demo', 'library', 'notes']);
    expect(await manage('tenant deactivate shop demo')).toBe('demo is no longer active in shop.');
    expect(await modules()).toEqual(['library', 'notes']);
    await expect(manage('tenant deactivate shop demo')).rejects.toThrow(
      'demo is not active in shop. What is: library, notes.',
    );
  });

  it('makes an account whose password is shown once and kept as a hash', async () => {
    const shown = await manage('account add Ann@Example.com --name Ann');
    const password = /password {2}(\S+)/.exec(shown)?.[1] ?? '';
    const account = await context.accounts.findByLogin('ann@example.com');
    expect(account).toMatchObject({ name: 'Ann', login: 'ann@example.com' });
    expect(account?.passwordHash).not.toContain(password);
    await expect(context.passwords.verify(password, account?.passwordHash)).resolves.toBe(true);
    await manage('account password ann@example.com');
    const changed = await context.accounts.findByLogin('ann@example.com');
    await expect(context.passwords.verify(password, changed?.passwordHash)).resolves.toBe(false);
  });

  it('makes operators and ends that', async () => {
    await manage('account add second@example.com');
    const { id } = (await context.accounts.findByLogin('second@example.com'))!;
    expect(await context.accounts.adminRights(id)).toMatchObject({ operator: false });
    expect(await manage('account operator second@example.com on')).toBe('second@example.com is an operator now.');
    expect(await context.accounts.adminRights(id)).toMatchObject({ operator: true });
    expect(await manage('account operator second@example.com off')).toBe('second@example.com is no operator now.');
    expect(await context.accounts.adminRights(id)).toMatchObject({ operator: false });
    await expect(manage('account operator second@example.com yes')).rejects.toThrow('"yes" is neither "on" nor "off"');
    await expect(manage('account operator nobody@example.com on')).rejects.toThrow('There is no account');
  });

  it('makes members and ends memberships', async () => {
    await manage('account add bob@example.com');
    await manage('member set wiki bob@example.com --role admin');
    const [tenant, bob] = await Promise.all([
      context.tenants.findBySlug('wiki'),
      context.accounts.findByLogin('bob@example.com'),
    ]);
    await expect(context.accounts.roleIn(tenant!.id, bob!.id)).resolves.toBe('admin');
    expect(await manage('member list wiki')).toMatch(/^e-mail +role .*\nbob@example\.com +admin /);
    expect(await manage('member remove wiki bob@example.com')).toBe(
      'bob@example.com is no longer a member of wiki: no grant had to end.',
    );
    await expect(manage('member remove wiki bob@example.com')).rejects.toThrow(
      'bob@example.com was no member of wiki: no grant had to end.',
    );
    await expect(context.accounts.roleIn(tenant!.id, bob!.id)).resolves.toBeUndefined();
    await manage('account disable bob@example.com');
    expect(await context.accounts.find(bob!.id)).toMatchObject({ status: 'disabled' });
  });

  it('names people of a tenant’s own provider by their id', async () => {
    const { id: tenantId } = (await context.tenants.findBySlug('wiki'))!;
    const identity = {
      tenantId,
      issuer: 'https://login.example.com',
      subject: 'eve',
      name: '\u001b[2JEve',
      email: null,
    };
    const { id } = await context.accounts.findOrCreateUpstream(identity, undefined);
    expect(await manage('account list')).toMatch(new RegExp(`\n\\[2JEve +\\[2JEve +active +through wiki +${id}`));
    await manage(`member set wiki ${id}`);
    await expect(context.accounts.roleIn(tenantId, id)).resolves.toBe('member');
    await expect(manage(`member set ci ${id}`)).rejects.toThrow("another tenant's own sign-in");
    await expect(manage(`account password ${id}`)).rejects.toThrow('signs in without a password');
    await expect(manage(`account operator ${id} on`)).rejects.toThrow('cannot be an operator');
  });

  it('lists grants by names, and ends those of the tenant alone', async () => {
    await manage('account add gil@example.com');
    const { id: accountId } = (await context.accounts.findByLogin('gil@example.com'))!;
    const [wiki, ci] = [await context.tenants.findBySlug('wiki'), await context.tenants.findBySlug('ci')];
    const { 1: clientId = '' } = /client_id +(\S+)/.exec(await manage('client add wiki --name Host --agent')) ?? [];
    const resource = 'https://mcp.example.com/t/wiki/mcp';
    const payload = { iat: 1_780_000_000, resources: { [resource]: 'mcp notes:read' } };
    const grants = [1, 2].map(() =>
      newGrant({ tenantId: wiki!.id, accountId, payload, resource, expiresAt: inHours(1) }),
    );
    const [one, two] = [{ ...grants[0]!, clientId }, grants[1]!];
    for (const grant of [one, two]) await context.grants.save(grant);
    const list = await manage('grant list wiki');
    expect(list).toMatch(/^person +client +scopes +since +id\n/);
    expect(list.replace(/ {2,}/g, '  ')).toContain(
      `gil@example.com  Host (${clientId})  mcp notes:read  2026-05-28T20:26:40.000Z  ${one.id}`,
    );
    await expect(manage(`grant revoke ci ${one.id}`)).rejects.toThrow('The tenant has no such grant.');
    await expect(manage(`grant revoke wiki ${randomUUID()}`)).rejects.toThrow('The tenant has no such grant.');
    expect(await manage(`grant revoke wiki ${one.id}`)).toBe('The grant has ended.');
    expect((await context.grants.listOfTenant(wiki!.id)).map(({ id }) => id)).toEqual([two.id]);
    expect(await manage('grant list ci')).toBe('There are none.');
    await context.accounts.setMembership(ci!.id, accountId, 'member');
    expect(await manage('account disable gil@example.com')).toBe('gil@example.com is disabled: 1 grant has ended.');
    expect(await manage('account enable gil@example.com')).toBe('gil@example.com is enabled.');
  });

  it('issues tokens that are shown once, and says when the tenant does not take any', async () => {
    const shown = await manage('token issue wiki --name build --scope notes:read --days 30');
    expect(shown).toMatch(/^cwt_[\w-]{43}\n/);
    expect(shown).toContain('tenant access wiki tokens');
    const list = await manage('token list wiki');
    expect(list).toMatch(/^name +scopes +good until +id\nbuild +notes:read +\d{4}-/);
    expect(list).not.toContain(shown.split('\n')[0]);
    await manage(`token revoke wiki ${list.split(' ').at(-1) ?? ''}`);
    expect(await manage('token list wiki')).toContain('revoked');
  });

  it('registers clients with a secret that is kept as a hash, bound to their tenant', async () => {
    const shown = await manage('client add wiki --name Agent --agent --scope notes:read');
    const [, id = ''] = /client_id +(\S+)/.exec(shown) ?? [];
    const [, secret = ''] = /client_secret +(\S+)/.exec(shown) ?? [];
    const client = await context.clients.find(id);
    expect(client?.metadata).toMatchObject({ grant_types: ['client_credentials'], scope: 'notes:read' });
    expect(JSON.stringify(client)).not.toContain(secret);
    await manage('tenant add other --title Other');
    await expect(manage(`client remove other ${id}`)).rejects.toThrow('The tenant has no such client.');
    await manage(`client remove wiki ${id}`);
    await expect(context.clients.find(id)).resolves.toBeUndefined();
  });

  it('sets a policy from a file, sealing the secret in it', async () => {
    const upstreamProvider = {
      issuer: 'https://login.example.com',
      clientId: 'c',
      clientSecret: 'hush',
      label: 'Example',
    };
    const path = await file('policy.json', JSON.stringify({ baseline: ['notes:read'], upstreamProvider }));
    await manage(`tenant policy wiki ${path}`);
    const shown = await manage('tenant policy wiki');
    expect(shown).not.toContain('hush');
    const tenant = await context.tenants.findBySlug('wiki');
    const sealed = tenant?.accessPolicy.upstreamProvider?.sealedSecret ?? '';
    const keys = context.keys.derive('upstream secret');
    expect(openText(keys, sealed, secretBinding(tenant!.id, 'https://login.example.com'))).toBe('hush');
    expect(openText(keys, sealed, secretBinding(tenant!.id, 'https://elsewhere.example.com'))).toBeUndefined();
    expect(openText(keys, sealed, secretBinding('another', 'https://login.example.com'))).toBeUndefined();
    await manage(`tenant policy wiki ${await file('again.json', shown)}`);
    expect(await manage('tenant policy wiki')).toBe(shown);
  });

  it.each([
    ['tenant fly wiki', 'There is no command "tenant fly"'],
    ['tenant lst', 'Did you mean "tenant list"?'],
    ['tennant add x', 'Did you mean "tenant add"?'],
    ['tenant access wiki', 'Usage: tenant access SLUG'],
    ['tenant access wiki shut', '"shut" is none of oauth, open, tokens'],
    ['tenant add WIKI --title x', 'is no slug'],
    ['tenant add wiki --title x', 'exists already'],
    ['tenant add fresh', '--title is missing'],
    ['tenant add fresh --title x --module My_Module', '"My_Module" is no name of a module'],
    ['tenant policy wiki /nowhere.json', /^There is no file \/nowhere\.json\.$/],
    ['tenant policy wiki /', '/ cannot be read (EISDIR).'],
    ['token issue wiki', '--name is missing'],
    ['token issue wiki --name x --days never', '--days must be a whole number from 1 to 9999. Without it'],
    ['token issue nobody --name x', 'There is no tenant "nobody"'],
    ['client add wiki --name x', '--redirect is missing'],
    ['client add wiki --name x --agent --public', 'An agent needs a secret'],
    ['client add wiki --name x --redirect http://host.example.com/cb', 'http is for this computer alone'],
    ['client add wiki --name x --redirect https://localhost/cb', 'to this computer it is http'],
    ['client add wiki --name x --redirect https://host.example.com/cb#top', 'has no fragment'],
    ['client add wiki --name x --redirect host.example.com/cb', 'it is no absolute URI'],
    ['client add wiki --name x --redirect localhost:3000/cb', 'is followed by no path'],
    ['client add wiki --name x --redirect javascript:/alert(1)', 'browsers treat its scheme themselves'],
    [`client add wiki --name ${'x'.repeat(201)} --agent`, 'client_name must be at most 200 characters'],
    ['client add wiki --naem x', "Unknown option '--naem'"],
    ['account add ann', 'is no e-mail address'],
    ['member set wiki nobody@example.com', 'account add nobody@example.com'],
    ['member set wiki ann@example.com --role king', 'It has: admin, member, owner'],
  ])('is told what is wrong with "%s"', async (line, message) => {
    await expect(async () => manage(line)).rejects.toThrow(message);
  });

  it.each([
    'https://a.example/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:33418/',
    'cursor://mcp/cb',
    'com.example.app:/cb',
  ])('registers a client that is sent back to %s', async (uri) => {
    await expect(manage(`client add wiki --name Host --redirect ${uri}`)).resolves.toContain('client_secret');
  });

  const PROVIDER = { issuer: 'https://login.example.com', clientId: 'c', label: 'Example' };

  it.each([
    ['{', 'policy.json is not JSON'],
    ['[]', 'policy.json is no access policy: it must hold a JSON object'],
    ['{"baseline":["a b"]}', 'baseline'],
    ['{"baselin":[]}', 'there is no member "baselin" here: did you mean "baseline"? (members: scopes, baseline, '],
    ['{"scopes":[{"name":"a","desciption":"A"}]}', 'did you mean "description"?'],
    ['{"externalIssuer":{"issuer":"https://a.example","scopemap":{}}}', 'did you mean "scopeMap"?'],
    [
      JSON.stringify({ upstreamProvider: { ...PROVIDER, colour: 'red' } }),
      'there is no member "colour" here (members:',
    ],
    [JSON.stringify({ upstreamProvider: { ...PROVIDER, clientSecret: 7 } }), 'clientSecret must be a text'],
    [JSON.stringify({ upstreamProvider: { ...PROVIDER, sealedSecret: 'x' } }), 'write clientSecret instead'],
    ['{"passwordSignIn":false}', 'nobody could sign in'],
  ])('is told what is wrong with the policy %s', async (policy, message) => {
    const before = await context.tenants.findBySlug('wiki');
    await expect(manage(`tenant policy wiki ${await file('policy.json', policy)}`)).rejects.toThrow(message);
    expect(await context.tenants.findBySlug('wiki')).toEqual(before);
  });

  it('may turn passwords off where people sign in elsewhere', async () => {
    await manage('tenant add away --title Away');
    for (const elsewhere of [{ upstreamProvider: PROVIDER }, { externalIssuer: { issuer: 'https://a.example' } }]) {
      const policy = JSON.stringify({ passwordSignIn: false, ...elsewhere });
      await manage(`tenant policy away ${await file('away.json', policy)}`);
      expect((await context.tenants.findBySlug('away'))?.accessPolicy).toMatchObject({ passwordSignIn: false });
    }
  });

  it('finds every command in the help, those of one group, and one by itself', () => {
    for (const command of ['tenant policy', 'member remove', 'token revoke', 'client add', 'grant list'])
      expect(usage()).toContain(command);
    for (const args of [[], ['--help'], ['help'], ['nothing', '--help']]) expect(helpFor(args)).toBe(usage());
    for (const args of [['tenant'], ['tenant', '-h'], ['help', 'tenant'], ['tenant', 'fly', '--help']])
      expect(helpFor(args)).toBe(usage('tenant'));
    expect(usage('tenant')).not.toContain('account');
    expect(helpFor(['grant', 'list', '--help'])).toMatch(/^grant list SLUG\n/);
    expect(helpFor(['tenant', 'list'])).toBeUndefined();
    expect(helpFor(['nothing'])).toBeUndefined();
  });
});
