import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { StaticTokenStore } from '#access/static-token.store.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { secretBinding } from '#authorization/upstream/upstream-providers.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import { KeyRing } from '#protocol/key-ring.js';
import { openText } from '#protocol/sealed-text.js';
import type { ManageContext } from '#server/manage/context.js';
import { readCommand, usage } from '#server/manage/manage.js';
import { TenantStore } from '#tenancy/tenant.store.js';

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
      tokens: app.get(StaticTokenStore),
      passwords: new Passwords(),
      keys: new KeyRing([randomBytes(32)]),
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

  it('makes a tenant that wants OAuth, and changes how it is reached', async () => {
    expect(await context.tenants.findBySlug('wiki')).toMatchObject({
      title: 'Wiki',
      access: 'oauth',
      activations: [{ module: 'notes' }],
    });
    await manage('tenant add ci --title CI --access tokens');
    await manage('tenant access ci open');
    expect(await context.tenants.findBySlug('ci')).toMatchObject({ access: 'open', revision: 2 });
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

  it('makes members and ends memberships', async () => {
    await manage('account add bob@example.com');
    await manage('member set wiki bob@example.com --role admin');
    const [tenant, bob] = await Promise.all([
      context.tenants.findBySlug('wiki'),
      context.accounts.findByLogin('bob@example.com'),
    ]);
    await expect(context.accounts.roleIn(tenant!.id, bob!.id)).resolves.toBe('admin');
    await manage('member remove wiki bob@example.com');
    await expect(context.accounts.roleIn(tenant!.id, bob!.id)).resolves.toBeUndefined();
    await manage('account disable bob@example.com');
    expect(await context.accounts.find(bob!.id)).toMatchObject({ status: 'disabled' });
  });

  it('issues tokens that are shown once, and says when the tenant does not take any', async () => {
    const shown = await manage('token issue wiki --name build --scope notes:read --days 30');
    expect(shown).toMatch(/^cwt_[\w-]{43}\n/);
    expect(shown).toContain('tenant access wiki tokens');
    const list = await manage('token list wiki');
    expect(list).toContain('build  [notes:read]');
    expect(list).not.toContain(shown.split('\n')[0]);
    await manage(`token revoke wiki ${list.split(' ')[0] ?? ''}`);
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
    expect(openText(keys, sealed, secretBinding(tenant!.id))).toBe('hush');
    expect(openText(keys, sealed, secretBinding('another'))).toBeUndefined();
    await manage(`tenant policy wiki ${await file('again.json', shown)}`);
    expect(await manage('tenant policy wiki')).toBe(shown);
  });

  it.each([
    ['tenant', 'There is no command "tenant"'],
    ['tenant fly wiki', 'There is no command "tenant fly"'],
    ['tenant access wiki', 'Usage: tenant access SLUG'],
    ['tenant access wiki shut', '"shut" is none of oauth, open, tokens'],
    ['tenant add WIKI --title x', 'is no slug'],
    ['tenant add wiki --title x', 'exists already'],
    ['tenant add fresh', '--title is missing'],
    ['tenant policy wiki /nowhere.json', 'cannot be read'],
    ['token issue wiki', '--name is missing'],
    ['token issue wiki --name x --days never', '--days must be a whole number'],
    ['token issue nobody --name x', 'There is no tenant "nobody"'],
    ['client add wiki --name x', '--redirect is missing'],
    ['client add wiki --name x --agent --public', 'An agent needs a secret'],
    ['client add wiki --naem x', "Unknown option '--naem'"],
    ['account add ann', 'is no e-mail address'],
    ['member set wiki nobody@example.com', 'account add nobody@example.com'],
    ['member set wiki ann@example.com --role king', 'It has: admin, member, owner'],
  ])('is told what is wrong with "%s"', async (line, message) => {
    await expect(async () => manage(line)).rejects.toThrow(message);
  });

  it('is told what is wrong with a policy', async () => {
    await expect(manage(`tenant policy wiki ${await file('bad.json', '{"baseline":["a b"]}')}`)).rejects.toThrow(
      'baseline',
    );
    await expect(manage(`tenant policy wiki ${await file('no.json', '{')}`)).rejects.toThrow('is not JSON');
  });

  it('finds every command in the help', () => {
    for (const command of ['tenant policy', 'member remove', 'token revoke', 'client add'])
      expect(usage()).toContain(command);
  });
});
