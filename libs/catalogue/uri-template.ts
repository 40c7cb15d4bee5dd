import { charactersOf } from './uri-template-characters.js';
import { expandExpression, type TemplateValue, type TemplateValues } from './uri-template-expansion.js';
import { isReserved, parseParts, type Expression, type TemplatePart } from './uri-template-grammar.js';
import { literalCheck } from './uri-template-literals.js';
import { divide } from './uri-template-regions.js';
import { segmentsOf, toleratedIn, type Segment } from './uri-template-segments.js';
import { readValues, type Reading } from './uri-template-values.js';

export type { TemplateValue, TemplateValues } from './uri-template-expansion.js';
export { UriTemplateError } from './uri-template-grammar.js';

/** No URI that is longer matches anything. */
const MAX_URI_LENGTH = 8192;

/** A URI template (RFC 6570), compiled once. */
export interface UriTemplate {
  readonly text: string;
  /** The names of the variables, each once, in order. */
  readonly variables: readonly string[];

  /** How many literals and expressions it has; the time of a match grows with it too. */
  readonly size: number;

  /** Whether a URI may match, by its literals: false means no, and costs little. */
  mayMatch(uri: string): boolean;

  /** The URI for these values (RFC 6570 section 3). Variables without a value expand to nothing. */
  expand(values: TemplateValues): string;

  /**
   * The values with which the template expands to this URI, or undefined when there are none.
   *
   * Values are percent-decoded once, in reserved expansion too: `..%2F` comes out as `../`, and what a value means as a
   * path is for the handler to check. `{id}` matches no slash and is never empty; `{+path}` takes slashes. Optional are
   * expressions with an operator that writes something (`{?q}`, `{/id}`): a variable that the URI does not have is absent.
   *
   * A variable is a string; a list where it is exploded (`{/path*}`, `{?tag*}`, `{list*}`), or where the URI has commas that
   * are not encoded; an associative array where an exploded one has pairs. When a URI can be divided in several ways, the
   * earlier expression takes as much as it can. A variable with a prefix (`{name:3}`) has no more than that. Characters
   * such as `@` and `:` need not be encoded where they cannot be mistaken. Query parameters are expected in the order of
   * the template.
   *
   * Every match is confirmed by expanding it again. The time grows with the length of the URI.
   */
  match(uri: string): Record<string, string | string[] | Record<string, string>> | undefined;
}

/** @throws UriTemplateError when the text is not a template; its message is a clause that says why */
export function parseUriTemplate(text: string): UriTemplate {
  return new CompiledTemplate(text);
}

type Match = NonNullable<ReturnType<UriTemplate['match']>>;

class CompiledTemplate implements UriTemplate {
  readonly variables: readonly string[];
  private readonly parts: readonly TemplatePart[];
  private readonly segments: readonly Segment[];
  private readonly plain: ReadonlyMap<string, string>;
  private readonly hasLiterals: (uri: string) => boolean;

  constructor(readonly text: string) {
    this.parts = parseParts(text);
    const expressions = this.parts.filter((part) => typeof part !== 'string');
    this.variables = [...new Set(expressions.flatMap((expression) => expression.variables.map(({ name }) => name)))];
    const tolerated = toleratedIn(this.parts);
    this.segments = segmentsOf(this.parts, tolerated);
    this.plain = new Map([...tolerated].map((character) => [percentEncoded(character), character]));
    this.hasLiterals = literalCheck(this.parts);
  }

  get size(): number {
    return this.parts.length;
  }

  mayMatch(uri: string): boolean {
    return uri.length <= MAX_URI_LENGTH && this.hasLiterals(uri);
  }

  expand(values: TemplateValues): string {
    return this.parts
      .map((part) => (typeof part === 'string' ? literalText(part) : expandExpression(part, values)))
      .join('');
  }

  match(uri: string): Match | undefined {
    if (!this.mayMatch(uri)) return undefined;
    const characters = charactersOf(uri);
    const regions = characters && divide(characters, this.segments);
    if (regions === undefined) return undefined;
    const readings = this.parts.map((part, index) =>
      typeof part === 'string' ? [] : readValues(part, regions[index] ?? ''),
    );
    const complete = readings.filter((reading) => reading !== undefined);
    const values = complete.length < readings.length ? undefined : combine(complete.flat());
    return values !== undefined && this.confirms(values, complete, regions) ? values : undefined;
  }

  private confirms(values: Match, readings: readonly (readonly Reading[])[], regions: readonly string[]): boolean {
    return this.parts.every((part, index) => {
      if (typeof part === 'string') return true;
      const expanded = expandExpression(
        part,
        isReserved(part) ? asSpelled(part, values, readings[index] ?? []) : values,
      );
      return this.spelling(expanded) === this.spelling(regions[index] ?? '');
    });
  }

  /** One spelling for URIs that differ only in what may be left unencoded. */
  private spelling(uri: string): string {
    if (!uri.includes('%')) return uri;
    const characters = charactersOf(uri) ?? [];
    return characters.map((character) => this.plain.get(character) ?? character).join('');
  }
}

/** Reserved expansion lets encoded characters through, so that they confirm as they are spelled. */
function asSpelled(expression: Expression, values: Match, readings: readonly Reading[]): TemplateValues {
  const whole = readings.filter(([{ prefix }]) => prefix === undefined);
  return { ...values, ...Object.fromEntries(whole.map(([{ name }, value]) => [name, value])) };
}

/** One value for each variable: a whole one rather than a prefix. Undefined when whole ones differ. */
function combine(readings: readonly Reading[]): Match | undefined {
  const found = new Map<string, Match[string]>();
  const byLength = readings.toSorted(([a], [b]) => (b.prefix ?? Infinity) - (a.prefix ?? Infinity));
  for (const [{ name, prefix }, spelled] of byLength) {
    const value = decode(spelled);
    const other = found.get(name);
    if (other === undefined) found.set(name, value);
    else if (prefix === undefined && JSON.stringify(other) !== JSON.stringify(value)) return undefined;
  }
  return Object.fromEntries(found);
}

function decode(value: TemplateValue): Match[string] {
  if (typeof value === 'string') return decodeURIComponent(value);
  if (Array.isArray(value)) return value.map((item: string) => decodeURIComponent(item));
  return Object.fromEntries(Object.entries(value).map((pair) => pair.map(decodeURIComponent) as [string, string]));
}

/** RFC 6570 section 3.1: literals are copied, and encoded where a URI could not hold them. */
function literalText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
