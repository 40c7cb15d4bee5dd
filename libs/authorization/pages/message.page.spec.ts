import { describe, expect, it } from '@jest/globals';
import { messagePage } from './message.page.js';
import { noAccessPage } from './no-access.page.js';

function textOf(page: string): string {
  const [, main = ''] = page.split('<main');
  return main.replace(/^[^>]*>|<[^>]+>/g, '').replace(/\s+/g, ' ');
}

describe('a message', () => {
  it('says what happened, what to do, and how to refer to it', () => {
    const page = messagePage({
      ...{ title: 'This sign-in has ended', message: 'It took too long.', hint: 'Start again.' },
      ...{ reference: '7f3a', tone: 'error' },
    });
    expect(page).toContain('<title>This sign-in has ended – Causeway</title>');
    expect(textOf(page)).toMatch(/This sign-in has ended It took too long\. Start again\. Reference: 7f3a/);
  });

  it('is an alert only if it is an error', () => {
    const page = (tone: 'error' | 'success' | 'plain') => messagePage({ title: 'Done', message: 'Close this.', tone });
    expect(page('error')).toContain('role="alert"');
    expect(page('success')).not.toContain('role=');
    expect(page('plain')).not.toContain('role=');
  });
});

describe('the page for someone who is no member', () => {
  it('says who is signed in, and lets them switch or cancel', () => {
    const page = noAccessPage({
      isTenant: true,
      ...{ tenantTitle: 'Northwind', account: { name: 'ada@example.com' }, csrf: 'token' },
      ...{ switchAction: '/switch', cancelAction: '/cancel' },
    });
    expect(textOf(page)).toContain('You have no access to Northwind You are signed in as ada@example.com.');
    expect(page).toMatch(/action="\/switch">[^]*?Use another account[^]*?action="\/cancel">[^]*?Cancel/);
  });
});
