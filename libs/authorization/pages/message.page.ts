import { html } from './html.js';
import { layout } from './layout.js';
import type { MessageModel } from './page-models.js';
import { isolated } from './shown-text.js';

/** Says one thing: what went wrong, or that all is done. */
export function messagePage({ title, message, hint, reference, tone }: MessageModel): string {
  const role = tone === 'error' && html`role="alert"`;
  return layout({
    title: [title],
    content: html`<div class="message ${tone}" ${role}>
        <h1>${isolated(title)}</h1>
        <p>${isolated(message)}</p>
      </div>
      ${hint !== undefined && html`<p>${isolated(hint)}</p>`}
      ${reference !== undefined && html`<p class="aside">Reference: <code>${isolated(reference)}</code></p>`}`,
  });
}
