import { clientNotice } from './client-notice.js';
import { buttonForm, field, hidden, problemSummary } from './form-parts.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';
import type { SignInModel } from './page-models.js';
import { isolated } from './shown-text.js';

/** Signs a person in, by the tenant's identity provider, by password, or by either. */
export function signInPage(model: SignInModel): string {
  const { tenantTitle, client, upstream, passwordSignIn, problem } = model;
  return layout({
    title: ['Sign in', tenantTitle],
    problem: problem !== undefined,
    content: html`<h1>Sign in to ${isolated(tenantTitle)}</h1>
      ${problemSummary(problem)} ${clientNotice(client, tenantTitle)} ${upstream && upstreamLink(upstream)}
      ${upstream && passwordSignIn && html`<p class="divider">or with a password</p>`}
      ${passwordSignIn && passwordForm(model)} ${!upstream && !passwordSignIn && noWayIn()}
      ${buttonForm({ action: model.cancelAction, csrf: model.csrf, label: 'Cancel' })}`,
  });
}

function upstreamLink({ label, href }: NonNullable<SignInModel['upstream']>): Html {
  return html`<a class="button primary" href="${href}">Continue with ${isolated(label)}</a>`;
}

function passwordForm({ action, csrf, email, problem, upstream }: SignInModel): Html {
  const hasProblem = problem !== undefined;
  return html`<form method="post" action="${action}">
    ${hidden('csrf', csrf)}
    ${field({
      label: 'E-mail address',
      name: 'email',
      hasProblem,
      input: { type: 'email', autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', value: email },
    })}
    ${field({
      label: 'Password',
      name: 'password',
      hasProblem,
      input: { type: 'password', autocomplete: 'current-password' },
    })}
    <button class="${upstream === undefined ? 'button primary' : 'button'}" type="submit">Sign in</button>
  </form>`;
}

function noWayIn(): Html {
  return html`<p>There is no way to sign in yet. Ask the administrator of this service to set one up.</p>`;
}
