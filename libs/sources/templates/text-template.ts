import Mustache from 'mustache';

/** A template that cannot work. Problem and mend are sentences made to be shown. */
export class TemplateFault extends Error {
  constructor(
    readonly problem: string,
    readonly mend: string,
  ) {
    super(`${problem} ${mend}`);
    this.name = 'TemplateFault';
  }
}

/** Puts one value into the text; may refuse, as when the text grows too long. */
export type WriteValue = (value: string) => string;

/** A text with placeholders, parsed once. */
export interface TextTemplate {
  /**
   * Values are put in as they are: what looks like a placeholder in one stays. What has no value is left out.
   * @param write what every value passes on its way in
   */
  render(values: Readonly<Record<string, string>>, write: WriteValue): string;
}

/** A node as the library makes it: type, name or text, start, end, and the nodes of a section. */
type Token = readonly [type: string, text: string, start: number, end: number, inner?: readonly Token[]];

const MAX_LENGTH = 65_536;
/** How long one tag may be; the library looks for its end in time that grows with the square of its spaces. */
const MAX_TAG_LENGTH = 512;
const MAX_DEPTH = 8;

const REFUSED: Readonly<Record<string, readonly [problem: string, mend: string]>> = {
  '>': ['it includes another template.', 'Write out what you mean: there are no partials.'],
  '=': ['it sets other delimiters.', 'Use {{ and }}.'],
  '{': ['it has three braces.', 'Write two: nothing is escaped.'],
  '&': ['it has a tag with "&".', 'Leave it out: nothing is escaped.'],
};

/**
 * A Mustache template without partials, other delimiters and lambdas: `{{name}}`, `{{#name}}…{{/name}}` where there is a
 * value, `{{^name}}…{{/name}}` where there is none, `{{! comment }}`, and `{{.}}` for the value of a section.
 * @param names what may be named
 * @throws TemplateFault
 */
export function parseTextTemplate(text: string, names: ReadonlySet<string>): TextTemplate {
  checkTags(text);
  const writer = Object.assign(new Mustache.Writer(), { templateCache: undefined }); // it would keep every template
  const tokens = parse(writer, text);
  checkNames(tokens, names, { depth: 0, hasValue: false });
  return {
    render: (values, write) => {
      const view = Object.assign(Object.create(null), values) as object;
      const context = new Mustache.Context(view);
      return writer.renderTokens(tokens as unknown as string[][], context, undefined, text, { escape: write });
    },
  };
}

function checkTags(text: string): void {
  if (text.length > MAX_LENGTH) throw new TemplateFault('the text is too long.', `At most ${MAX_LENGTH} characters.`);
  for (let at = text.indexOf('{{'); at !== -1;) {
    const end = text.indexOf('}}', at);
    if (end === -1) throw new TemplateFault('a "{{" is not closed.', 'Write "}}" behind it.');
    if (end - at > MAX_TAG_LENGTH)
      throw new TemplateFault('a placeholder is too long.', `At most ${MAX_TAG_LENGTH} characters.`);
    const kind = text
      .slice(at + 2, end)
      .trimStart()
      .charAt(0);
    const refused = REFUSED[kind];
    if (refused) throw new TemplateFault(...refused);
    at = text.indexOf('{{', end);
  }
}

function parse(writer: InstanceType<typeof Mustache.Writer>, text: string): readonly Token[] {
  try {
    const tokens: unknown = writer.parse(text);
    return tokens as readonly Token[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TemplateFault(`the template is wrong: ${reason}.`, 'Close every section where it belongs.');
  }
}

/** Where a tag stands: in how many sections, and whether one of them brings a value. */
interface Surroundings {
  readonly depth: number;
  readonly hasValue: boolean;
}

function checkNames(tokens: readonly Token[], names: ReadonlySet<string>, { depth, hasValue }: Surroundings): void {
  if (depth > MAX_DEPTH)
    throw new TemplateFault('sections stand too deep.', `At most ${MAX_DEPTH} inside one another.`);
  for (const [type, name, , , inner] of tokens) {
    if (type === 'text' || type === '!') continue;
    if (!names.has(name) && !(name === '.' && hasValue)) throw new TemplateFault(...unknownName(name, names));
    if (inner) checkNames(inner, names, { depth: depth + 1, hasValue: hasValue || type === '#' });
  }
}

function unknownName(name: string, names: ReadonlySet<string>): [problem: string, mend: string] {
  const known = names.size === 0 ? 'There are none here' : `There are: ${[...names].join(', ')}`;
  return [`"{{${name.slice(0, 64)}}}" is not declared.`, `${known}.`];
}
