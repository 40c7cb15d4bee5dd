import { html, type Html } from './html.js';
import { shownText } from './shown-text.js';
import { STYLE_SHEET_PATH } from './style-sheet.js';

interface Layout {
  /** For the title of the window, from the particular to the general. */
  readonly title: readonly (string | undefined)[];
  /** There is a problem to mend: the title says so first, for it is what a screen reader says first. */
  readonly problem?: boolean;
  /** The inside of `main`, with the one `h1`. */
  readonly content: Html;
}

/** A whole document around the content of a page. It needs no script, and nothing from outside but the style sheet. */
export function layout({ title, problem = false, content }: Layout): string {
  const parts = [...title, 'Causeway'].filter((part) => part !== undefined);
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="robots" content="noindex" />
        <title>${problem && 'Problem: '}${parts.map((part) => shownText(part)).join(' – ')}</title>
        <link rel="stylesheet" href="${STYLE_SHEET_PATH}" />
      </head>
      <body>
        <header class="mark">Causeway</header>
        <main class="card">${content}</main>
      </body>
    </html>`.toString();
}
