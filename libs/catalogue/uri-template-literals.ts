import { charactersOf } from './uri-template-characters.js';
import type { TemplatePart } from './uri-template-grammar.js';

/**
 * A quick look at whether a URI may be one of the template: whether the literals are in it, in their order, the first at
 * its beginning and the last at its end where nothing stands before or behind them. Most templates of a large catalogue are
 * told apart by this.
 * @param parts of a template whose literals are well-formed
 */
export function literalCheck(parts: readonly TemplatePart[]): (uri: string) => boolean {
  const literals = parts.filter((part) => typeof part === 'string').map((text) => charactersOf(text)?.join('') ?? '');
  const startsLiteral = typeof parts[0] === 'string';
  const last = typeof parts.at(-1) === 'string' ? (literals.at(-1) ?? '') : '';
  return (uri) => {
    const text = inOneSpelling(uri);
    if (text === undefined || !text.endsWith(last)) return false;
    let from = 0;
    for (const [index, literal] of literals.entries()) {
      const at = index === 0 && startsLiteral ? (text.startsWith(literal) ? 0 : -1) : text.indexOf(literal, from);
      if (at === -1) return false;
      from = at + literal.length;
    }
    return true;
  };
}

/** The URI that was asked about last: one look-up asks many templates about the same. */
let latest: { readonly uri: string; readonly text: string | undefined } = { uri: '', text: '' };

function inOneSpelling(uri: string): string | undefined {
  if (latest.uri !== uri) latest = { uri, text: charactersOf(uri)?.join('') };
  return latest.text;
}
