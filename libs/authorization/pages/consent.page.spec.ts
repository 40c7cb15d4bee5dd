import { describe, expect, it } from '@jest/globals';
import { consentPage } from './consent.page.js';
import type { ConsentModel } from './page-models.js';

const model: ConsentModel = {
  tenantTitle: 'Northwind',
  resource: 'https://mcp.example.com/t/northwind',
  client: { name: 'Claude', redirectHost: 'claude.ai', loopbackOnly: false, identity: 'registered' },
  account: { name: 'ada@northwind.example' },
  scopes: [
    { name: 'orders:read', description: 'Read orders', isNew: false },
    { name: 'orders:write', isNew: true },
  ],
  withheld: [{ name: 'billing:write', description: 'Change invoices' }],
  keepsAccess: true,
  action: '/consent/1',
  csrf: 'token',
  switchAction: '/consent/1/switch',
};

function textOf(page: string): string {
  const [, main = ''] = page.split('<main');
  return main.replace(/^[^>]*>|<[^>]+>/g, '').replace(/\s+/g, ' ');
}

describe('the consent page', () => {
  it('names the client, where it sends one back to, the tenant, its address and the account', () => {
    const text = textOf(consentPage(model));
    expect(text).toContain('Allow access to Northwind?');
    expect(text).toContain('Claude asks to use Northwind on your behalf.');
    expect(text).toContain('You will be sent back to claude.ai.');
    expect(text).toContain('Address of the service https://mcp.example.com/t/northwind');
    expect(text).toContain('Signed in as ada@northwind.example Not you? Use another account');
    expect(consentPage(model)).toContain('<form method="post" action="/consent/1/switch">');
  });

  it('sends nobody anywhere where a device waits', () => {
    const page = consentPage({ ...model, client: { ...model.client, redirectHost: undefined } });
    expect(textOf(page)).toContain('The device that showed you the code will be connected.');
    expect(textOf(page)).not.toContain('sent back');
  });

  it('says each scope in words, with its name, or by its name alone', () => {
    const text = textOf(consentPage(model));
    expect(text).toContain('It will be able to: ');
    expect(text).toContain('Read orders orders:read');
    expect(consentPage(model)).toContain('<li><code><bdi>orders:write</bdi></code>');
  });

  it('marks what is new when something was granted before, and only then', () => {
    const marks = (scopes: ConsentModel['scopes']) =>
      (consentPage({ ...model, scopes }).match(/<strong class="new">New<\/strong>/g) ?? []).length;
    expect(marks(model.scopes)).toBe(1);
    expect(textOf(consentPage(model))).toContain('orders:write New');
    expect(marks(model.scopes.map((scope) => ({ ...scope, isNew: true })))).toBe(0);
    expect(marks(model.scopes.map((scope) => ({ ...scope, isNew: false })))).toBe(0);
  });

  it('sends back which scopes it showed as granted', () => {
    expect(consentPage(model)).toContain('<input type="hidden" name="scope" value="orders:read orders:write" />');
  });

  it('says what it withholds, and why', () => {
    const text = textOf(consentPage(model));
    expect(text).toContain('It will not be able to: It has asked for this too, but your role does not permit it.');
    expect(text).toContain('Change invoices billing:write');
    expect(textOf(consentPage({ ...model, withheld: [] }))).not.toContain('not be able');
  });

  it('says how long access lasts when it lasts', () => {
    expect(textOf(consentPage(model))).toContain('until it is revoked, or until it has not been used for 30 days');
    expect(textOf(consentPage({ ...model, keepsAccess: false }))).not.toContain('lasts');
  });

  it('needs no scopes', () => {
    expect(textOf(consentPage({ ...model, scopes: [] }))).toContain('It asks for no special permissions.');
  });

  it('ends with Allow and Deny, buttons of one form in this order, and no field to press Enter in', () => {
    const page = consentPage(model);
    const [form = ''] = /<form class="decision"[^]*?<\/form>/.exec(page) ?? [];
    expect(form).toContain('action="/consent/1"');
    expect([...form.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual(['allow', 'deny']);
    expect(page.indexOf(form)).toBeGreaterThan(page.indexOf('class="scopes withheld"'));
    expect(page).not.toMatch(/autofocus|<input type="(?!hidden)/);
  });

  it('ties the warning about an application on this computer to Allow', () => {
    const page = consentPage({ ...model, client: { ...model.client, loopbackOnly: true } });
    expect(page).toMatch(/value="allow" aria-describedby="caution">/);
    expect(textOf(page)).toContain('Its name cannot be checked.');
    expect(consentPage(model)).not.toContain('caution');
  });
});
