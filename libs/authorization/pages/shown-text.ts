import { html, type Html } from './html.js';

/** Characters that cannot be seen, and those that change the order of what can: controls, bidi controls, fillers. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Spaces of every width, line separators, and the blank Braille pattern, which looks like one. */
const SPACES = /[\s\p{Z}\u2800]+/gu;
/** No script needs more than three marks on a letter; piles of them paint over their neighbours. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** Text from outside as one honest line: nothing unseen, no reordering, at most `limit` characters. */
export function shownText(text: string, limit = Infinity): string {
  const line = text.replace(SPACES, ' ').replace(UNSEEN, '').replace(PILED_MARKS, '$1').trim();
  const characters = Array.from(line);
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

/** The same in `<bdi>`, so that its direction does not touch the text around it. */
export function isolated(text: string, limit?: number): Html {
  return html`<bdi>${shownText(text, limit)}</bdi>`;
}
