import { caution, CAUTION_ID, clientIdentity, clientName } from './client-notice.js';
import { field, hidden, problemSummary } from './form-parts.js';
import { html } from './html.js';
import { layout } from './layout.js';
import type { DeviceConfirmModel, DeviceInputModel } from './page-models.js';
import { isolated, shownText } from './shown-text.js';

/** Asks for the code that a device shows (RFC 8628, section 3.3). */
export function deviceInputPage({ action, csrf, userCode, problem }: DeviceInputModel): string {
  const hasProblem = problem !== undefined;
  return layout({
    title: ['Connect a device'],
    problem: hasProblem,
    content: html`<h1>Connect a device</h1>
      ${problemSummary(problem)}
      <p>Your device shows a code. Enter it here.</p>
      <form method="post" action="${action}">
        ${hidden('xsrf', csrf)}
        ${field({
          label: 'Code',
          name: 'user_code',
          hasProblem,
          input: {
            class: 'code-input',
            type: 'text',
            autocomplete: 'off',
            autocapitalize: 'characters',
            spellcheck: 'false',
            value: userCode,
          },
        })}
        <button class="button primary" type="submit">Continue</button>
      </form>`,
  });
}

/** Has the person compare the code, so that nobody connects a device of someone else (RFC 8628, section 5.4). */
export function deviceConfirmPage({ action, csrf, userCode, client, tenantTitle }: DeviceConfirmModel): string {
  const purpose = tenantTitle === undefined ? 'asks for access' : html`asks to use ${isolated(tenantTitle)}`;
  return layout({
    title: ['Compare the code', tenantTitle],
    content: html`<h1>Does your device show this code?</h1>
      <p class="user-code"><code>${shownText(userCode)}</code></p>
      <div class="client">
        <p>${clientName(client)} on your device ${purpose} on your behalf.</p>
        ${clientIdentity(client)}
      </div>
      ${caution(
        'Go on only if the same code is shown on your device.',
        'If somebody has sent you this code, or you have not just started this yourself, cancel.',
      )}
      <form class="decision" method="post" action="${action}">
        ${hidden('xsrf', csrf)} ${hidden('user_code', userCode)} ${hidden('confirm', 'yes')}
        <button class="button primary" type="submit" aria-describedby="${CAUTION_ID}">Continue</button>
        <button class="button" type="submit" name="abort" value="yes">Cancel</button>
      </form>`,
  });
}
