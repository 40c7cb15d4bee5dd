import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountStore } from '#authorization/stores/account.store.js';
import { type GrantRecord, GrantStore } from '#authorization/stores/grant.store.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { asPage, asRedirect, OAuthClient } from '../support/oauth-client.js';
import type { Page, Person } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, runSecureDemo } from '../support/secure-demo.js';
import { send } from '../support/wire.js';

describe('while a person looks at the consent page', () => {
  let demo: RunningServer;
  let client: OAuthClient;
  let resource: string;
  let tenantId: string;

  beforeAll(async () => {
    demo = await runSecureDemo({ environment: { OAUTH_RATE_FACTOR: '100' } });
    client = await OAuthClient.register(demo.server.url);
    resource = demo.url('demo-secure');
    tenantId = (await demo.server.app.get(TenantStore).findBySlug('demo-secure'))!.id;
  });

  afterAll(async () => {
    await demo[Symbol.asyncDispose]();
  });

  async function consentPageOf(person: Person, scope: string): Promise<Page> {
    const page = asPage(await person.open(client.authorizationUrl({ resource, scope })));
    return page.text.includes('name="password"') ? asPage(await person.signIn(page)) : page;
  }

  async function redeem(callback: URL) {
    const { body } = await client.redeem(callback.searchParams.get('code')!);
    return body;
  }

  const accountIdOf = async ({ email }: Person): Promise<string> =>
    (await demo.server.app.get(AccountStore).findByLogin(email))!.id;

  it('a role that becomes larger grants nothing that the page did not show', async () => {
    const person = await personOf(demo, ['demo-secure'], 'nobody');
    const page = await consentPageOf(person, 'notes:write');
    await demo.server.app.get(AccountStore).setMembership(tenantId, await accountIdOf(person), 'owner');
    expect(await redeem(asRedirect(await person.decide(page, 'allow')))).toMatchObject({ scope: 'mcp' });

    expect(await client.tokens(person, { resource, scope: 'notes:write' })).toMatchObject({ scope: 'mcp notes:write' });
  });

  it('a form that is sent twice is answered once, and never with an error of the server', async () => {
    const person = await personOf(demo, ['demo-secure']);
    for (let round = 0; round < 5; round += 1) {
      const page = await consentPageOf(person, 'notes:read');
      const answers = await Promise.all([1, 2, 3].map(() => person.decide(page, 'allow')));
      const codes = answers.filter((answer) => answer instanceof URL && answer.searchParams.has('code'));
      expect(codes).toHaveLength(1);
      expect(answers.map((answer) => (answer instanceof URL ? 303 : answer.status))).not.toContain(500);
    }
  });

  it('a grant that ends does not end the page, and what is allowed then is good', async () => {
    const person = await personOf(demo, ['demo-secure']);
    const before = await client.tokens(person, { resource, scope: 'mcp' });
    const page = await consentPageOf(person, 'notes:read');
    await client.post('/revoke', { token: before['access_token'] });
    await expectGood(await redeem(asRedirect(await person.decide(page, 'allow'))));
  });

  it('a grant that ends in the very moment of the consent is not brought back, and a new one is good', async () => {
    const person = await personOf(demo, ['demo-secure']);
    await client.tokens(person, { resource, scope: 'mcp' });
    const page = await consentPageOf(person, 'notes:read');
    const grants = demo.server.app.get(GrantStore);
    const save = grants.save.bind(grants);
    const revoking = jest.spyOn(grants, 'save').mockImplementationOnce(async (grant: GrantRecord) => {
      await grants.revoke(grant.issuer, grant.id);
      await save(grant);
    });
    await expectGood(await redeem(asRedirect(await person.decide(page, 'allow'))));
    expect(revoking).toHaveBeenCalledTimes(2);
    revoking.mockRestore();
  });

  async function expectGood(tokens: Readonly<Record<string, any>>): Promise<void> {
    const headers = { authorization: `Bearer ${tokens['access_token']}` };
    expect((await send(resource, { method: 'tools/list', headers })).status).toBe(200);
  }
});
