import { buttonForm } from './form-parts.js';
import { html } from './html.js';
import { layout } from './layout.js';
import type { NoAccessModel } from './page-models.js';
import { isolated } from './shown-text.js';

/** Tells a person who is signed in that they are no member of the tenant, or administer nothing. */
export function noAccessPage(model: NoAccessModel): string {
  const { tenantTitle, isTenant, account, csrf, switchAction, cancelAction } = model;
  const reason = isTenant ? 'This account is not a member.' : 'This account administers nothing here.';
  const whom = isTenant
    ? html`an administrator of ${isolated(tenantTitle)} to add you`
    : 'an operator to make you an admin';
  return layout({
    title: ['No access', tenantTitle],
    content: html`<h1>You have no access to ${isolated(tenantTitle)}</h1>
      <p>You are signed in as <strong>${isolated(account.name)}</strong>. ${reason}</p>
      <p>Ask ${whom}, or use another account.</p>
      ${buttonForm({ action: switchAction, csrf, label: 'Use another account' })}
      ${buttonForm({ action: cancelAction, csrf, label: 'Cancel' })}`,
  });
}
