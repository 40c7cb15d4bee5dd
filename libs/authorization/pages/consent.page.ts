import { CAUTION_ID, clientNotice } from './client-notice.js';
import { hidden } from './form-parts.js';
import { attributes, html, type Html } from './html.js';
import { layout } from './layout.js';
import type { ConsentModel, ScopeView } from './page-models.js';
import { isolated } from './shown-text.js';

/** Asks a person whether a client may act for them at a tenant, and with which scopes. */
export function consentPage(model: ConsentModel): string {
  const { tenantTitle, client, withheld, keepsAccess } = model;
  return layout({
    title: ['Allow access', tenantTitle],
    content: html`<h1>Allow access to ${isolated(tenantTitle)}?</h1>
      ${clientNotice(client, tenantTitle)} ${facts(model)} ${scopeList(model)}
      ${withheld.length > 0 && withheldList(withheld)} ${keepsAccess && lastingAccess()} ${decisionForm(model)}`,
  });
}

function facts({ resource, account, csrf, switchAction }: ConsentModel): Html {
  return html`<dl class="facts">
    <dt>Address of the service</dt>
    <dd><code>${isolated(resource)}</code></dd>
    <dt>Signed in as</dt>
    <dd>
      ${isolated(account.name)}
      <form method="post" action="${switchAction}">
        ${hidden('csrf', csrf)}
        <button class="text-button" type="submit">Not you? Use another account</button>
      </form>
    </dd>
  </dl>`;
}

function scopeList({ scopes }: ConsentModel): Html {
  if (scopes.length === 0) return html`<p>It asks for no special permissions.</p>`;
  const grantedBefore = scopes.some(({ isNew }) => !isNew);
  const marksNew = grantedBefore && scopes.some(({ isNew }) => isNew);
  return html`<h2 id="scopes">It will be able to:</h2>
    ${marksNew && html`<p class="aside">You have allowed some of this before. What is new is marked.</p>`}
    <ul class="scopes" role="list" aria-labelledby="scopes">
      ${scopes.map((scope) => scopeItem(scope, marksNew && scope.isNew))}
    </ul>`;
}

function withheldList(withheld: readonly ScopeView[]): Html {
  return html`<h2 id="withheld">It will not be able to:</h2>
    <p class="aside">It has asked for this too, but your role does not permit it.</p>
    <ul class="scopes withheld" role="list" aria-labelledby="withheld">
      ${withheld.map((scope) => scopeItem(scope, false))}
    </ul>`;
}

function scopeItem({ name, description }: ScopeView, isMarked: boolean): Html {
  const mark = isMarked && html` <strong class="new">New</strong>`;
  const code = html`<code>${isolated(name)}</code>`;
  if (description === undefined || description === '') return html`<li>${code}${mark}</li>`;
  return html`<li>${isolated(description)}${mark} <span class="scope-name">${code}</span></li>`;
}

function lastingAccess(): Html {
  return html`<p>This access lasts until it is revoked, or until it has not been used for 30 days.</p>`;
}

function decisionForm({ action, csrf, client, scopes }: ConsentModel): Html {
  const described = attributes({ 'aria-describedby': client.loopbackOnly && CAUTION_ID });
  return html`<form class="decision" method="post" action="${action}">
    ${hidden('csrf', csrf)} ${hidden('scope', scopes.map(({ name }) => name).join(' '))}
    <button class="button primary" type="submit" name="decision" value="allow" ${described}>Allow</button>
    <button class="button" type="submit" name="decision" value="deny">Deny</button>
  </form>`;
}
