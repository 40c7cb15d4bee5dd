import { buttonForm } from './form-parts.js';
import { html } from './html.js';
import { layout } from './layout.js';
import type { NoAccessModel } from './page-models.js';
import { isolated } from './shown-text.js';

/** Tells a person who is signed in that they are no member of the tenant. */
export function noAccessPage({ tenantTitle, account, csrf, switchAction, cancelAction }: NoAccessModel): string {
  return layout({
    title: ['No access', tenantTitle],
    content: html`<h1>You have no access to ${isolated(tenantTitle)}</h1>
      <p>You are signed in as <strong>${isolated(account.name)}</strong>. This account is not a member.</p>
      <p>Ask an administrator of ${isolated(tenantTitle)} to add you, or use another account.</p>
      ${buttonForm({ action: switchAction, csrf, label: 'Use another account' })}
      ${buttonForm({ action: cancelAction, csrf, label: 'Cancel' })}`,
  });
}
