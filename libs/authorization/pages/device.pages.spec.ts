import { describe, expect, it } from '@jest/globals';
import { deviceConfirmPage, deviceInputPage } from './device.pages.js';
import type { DeviceConfirmModel, DeviceInputModel } from './page-models.js';

const input: DeviceInputModel = { action: '/device', csrf: 'token' };
const confirm: DeviceConfirmModel = {
  ...input,
  userCode: 'BDWP-HQPK',
  client: { name: 'Console', redirectHost: undefined, loopbackOnly: false, identity: 'dynamic' },
};

function textOf(page: string): string {
  const [, main = ''] = page.split('<main');
  return main.replace(/^[^>]*>|<[^>]+>/g, '').replace(/\s+/g, ' ');
}

describe('the page for the code of a device', () => {
  it('asks for it in a field made for codes', () => {
    const page = deviceInputPage(input);
    expect(page).toMatch(
      /autocomplete="off" autocapitalize="characters" spellcheck="false" id="user_code" name="user_code"/,
    );
    expect(page).toContain('<label for="user_code">Code</label>');
    expect(page).toContain('<input type="hidden" name="xsrf" value="token" />');
    expect(page).not.toContain('autofocus');
  });

  it('keeps what was entered, and says what is wrong with it', () => {
    const page = deviceInputPage({ ...input, userCode: 'AAAA-BBBB', problem: 'This code is not known.' });
    expect(page).toContain('value="AAAA-BBBB"');
    expect(page).toContain('aria-describedby="problem" aria-invalid="true"');
    expect(textOf(page)).toContain('This code is not known.');
    expect(page).toContain('<title>Problem: Connect a device – Causeway</title>');
  });
});

describe('the page that confirms the code of a device', () => {
  it('shows the code, who asks and a warning', () => {
    const text = textOf(deviceConfirmPage({ ...confirm, tenantTitle: 'Northwind' }));
    expect(text).toContain('Does your device show this code? BDWP-HQPK');
    expect(text).toContain('Console on your device asks to use Northwind on your behalf.');
    expect(text).toContain('Go on only if the same code is shown on your device.');
    expect(textOf(deviceConfirmPage(confirm))).toContain('Console on your device asks for access on your behalf.');
  });

  it('sends the code back with a confirmation, or an abort', () => {
    const page = deviceConfirmPage(confirm);
    for (const [name, value] of [
      ['xsrf', 'token'],
      ['user_code', 'BDWP-HQPK'],
      ['confirm', 'yes'],
    ] as const) {
      expect(page).toContain(`<input type="hidden" name="${name}" value="${value}" />`);
    }
    expect(page).toMatch(/<button class="button primary" type="submit" aria-describedby="caution">Continue</);
    expect(page).toMatch(/<button class="button" type="submit" name="abort" value="yes">Cancel</);
  });
});
