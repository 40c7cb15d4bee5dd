import { html, type Html } from './html.js';
import type { ClientView } from './page-models.js';
import { isolated, shownText } from './shown-text.js';

const NAME_LIMIT = 80;

/** For `aria-describedby` on the button that goes on in spite of the caution. */
export const CAUTION_ID = 'caution';

/** Who asks for what, where the person is sent afterwards, and how far the name of the client can be believed. */
export function clientNotice(client: ClientView, tenantTitle: string): Html {
  return html`<div class="client">
      <p>${clientName(client)} asks to use <strong>${isolated(tenantTitle)}</strong> on your behalf.</p>
      <p>${destination(client)}</p>
      ${clientIdentity(client)}
    </div>
    ${client.loopbackOnly && loopbackCaution()}`;
}

function destination({ redirectHost }: ClientView): Html {
  return redirectHost === undefined
    ? html`The device that showed you the code will be connected.`
    : html`You will be sent back to <strong>${isolated(redirectHost)}</strong>.`;
}

/** What the client calls itself. The mark-up keeps it apart from the words of the page. */
export function clientName({ name }: ClientView): Html {
  const shown = shownText(name, NAME_LIMIT);
  return shown === ''
    ? html`<strong>An application without a name</strong>`
    : html`<strong><bdi>${shown}</bdi></strong>`;
}

/** What stands behind the name of the client. */
export function clientIdentity({ identity, identityHost }: ClientView): Html {
  switch (identity) {
    case 'platform':
      return html`<p class="aside">This is part of Causeway itself.</p>`;
    case 'registered':
      return html`<p class="aside">An administrator has registered this application.</p>`;
    case 'document':
      return html`<p class="aside">
        This application is identified by
        ${identityHost === undefined ? 'a web address' : html`<strong>${isolated(identityHost)}</strong>`}.
      </p>`;
    case 'dynamic':
      return html`<p class="aside">This application has registered itself. Nobody has checked its name.</p>`;
  }
}

/** A box with a warning, at most one on a page. */
export function caution(heading: string, text: string): Html {
  return html`<div class="notice caution" role="note" id="${CAUTION_ID}">
    <p><strong>${heading}</strong></p>
    <p>${text}</p>
  </div>`;
}

function loopbackCaution(): Html {
  return caution(
    'An application on this computer is asking.',
    'Its name cannot be checked. Go on only if you have just started this from that application.',
  );
}
