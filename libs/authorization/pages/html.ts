const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

class Markup {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** Markup that is safe to write into a page. Only `html` and `attributes` make it. */
export type Html = Markup;

/** What `html` takes between its pieces of markup. `undefined` and `false` write nothing. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/**
 * A tagged template for markup. It escapes every value but what `html` has made, and joins arrays. Values belong in text
 * or in quoted attributes: nowhere else is escaping enough.
 */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Markup(pieces.reduce((text, piece, index) => text + written(values[index - 1]) + piece));
}

/** Attributes for the inside of a tag: `true` is written as the bare name, `undefined` and `false` not at all. */
export function attributes(values: Readonly<Record<string, string | boolean | undefined>>): Html {
  return new Markup(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => (value === true ? name : `${name}="${escaped(String(value))}"`))
      .join(' '),
  );
}

function written(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(written).join('');
  return escaped(String(value));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
