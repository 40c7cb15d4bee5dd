import { describe, expect, it } from '@jest/globals';
import type { ClientView, SignInModel } from './page-models.js';
import { signInPage } from './sign-in.page.js';

const client: ClientView = { name: 'Claude', redirectHost: 'claude.ai', loopbackOnly: false, identity: 'registered' };
const model: SignInModel = {
  tenantTitle: 'Northwind',
  client,
  action: '/sign-in/1',
  cancelAction: '/sign-in/1/cancel',
  csrf: 'token',
  passwordSignIn: true,
};

function textOf(page: string): string {
  const [, main = ''] = page.split('<main');
  return main.replace(/^[^>]*>|<[^>]+>/g, '').replace(/\s+/g, ' ');
}

describe('the sign-in page', () => {
  it('says where one signs in, who asks, and where one is sent back to', () => {
    const text = textOf(signInPage(model));
    expect(text).toContain('Sign in to Northwind');
    expect(text).toContain('Claude asks to use Northwind on your behalf.');
    expect(text).toContain('You will be sent back to claude.ai.');
    expect(signInPage(model)).toContain('<title>Sign in – Northwind – Causeway</title>');
  });

  it('has fields that a password manager fills in', () => {
    const page = signInPage({ ...model, email: 'ada@northwind.example' });
    expect(page).toMatch(/<input type="email" autocomplete="username"[^>]* value="ada@northwind.example" id="email"/);
    expect(page).toMatch(/<input type="password" autocomplete="current-password" id="password" name="password"/);
    expect(page).toContain('<form method="post" action="/sign-in/1">');
  });

  it('cancels by a form of its own', () => {
    expect(signInPage(model)).toMatch(
      /<form method="post" action="\/sign-in\/1\/cancel">[^]*?Cancel<\/button>\s*<\/form>/,
    );
  });

  it('shows what went wrong first, in the title too, and ties it to the fields', () => {
    const page = signInPage({ ...model, problem: 'The password is wrong.' });
    expect(page).toContain('<title>Problem: Sign in – Northwind – Causeway</title>');
    expect(page).toMatch(/role="alert" id="problem" tabindex="-1" autofocus>\s*<p><bdi>The password is wrong\.</);
    expect(page.match(/aria-describedby="problem" aria-invalid="true"/g)).toHaveLength(2);
    expect(signInPage(model)).not.toMatch(/role="alert"|aria-describedby|aria-invalid|autofocus/);
  });

  it('offers the identity provider first, then the password', () => {
    const page = signInPage({ ...model, upstream: { label: 'Entra ID', href: '/upstream?a=1&b=2' } });
    expect(page).toContain('href="/upstream?a=1&amp;b=2"');
    expect(textOf(page)).toMatch(/Continue with Entra ID or with a password E-mail address Password Sign in Cancel/);
    expect(page.match(/class="button primary"/g)).toHaveLength(1);
  });

  it('has no password form where passwords are not taken', () => {
    const page = signInPage({ ...model, passwordSignIn: false, upstream: { label: 'Entra ID', href: '/upstream' } });
    expect(page).not.toMatch(/type="password"|type="email"|or with a password/);
    expect(textOf(signInPage({ ...model, passwordSignIn: false }))).toContain('There is no way to sign in yet.');
  });
});

describe('the client', () => {
  const shown = (view: Partial<ClientView>) => signInPage({ ...model, client: { ...client, ...view } });

  it('has its name clamped, cleaned and isolated', () => {
    expect(shown({ name: 'x'.repeat(200) })).toContain(`<bdi>${'x'.repeat(79)}…</bdi>`);
    expect(shown({ name: '\u202eevil\u0000' })).toContain('<bdi>evil</bdi>');
  });

  it('that has no name that can be seen is called so', () => {
    for (const name of ['', ' \n', '\u200b\u202e']) {
      expect(textOf(shown({ name }))).toContain('An application without a name asks to use');
    }
  });

  it('comes with what stands behind its name', () => {
    expect(textOf(shown({ identity: 'registered' }))).toContain('An administrator has registered this application.');
    expect(textOf(shown({ identity: 'document', identityHost: 'claude.ai' }))).toContain('identified by claude.ai.');
    expect(textOf(shown({ identity: 'document' }))).toContain('identified by a web address.');
    expect(textOf(shown({ identity: 'dynamic' }))).toContain('Nobody has checked its name.');
  });

  it('on this computer comes with a warning', () => {
    const warning = 'Go on only if you have just started this from that application.';
    expect(textOf(shown({ loopbackOnly: true }))).toContain(warning);
    expect(textOf(shown({ loopbackOnly: false }))).not.toContain(warning);
  });
});
