/** What an expression begins with: its operator (RFC 6570 section 2.2), empty for simple string expansion. */
export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

/** A variable in an expression, with its modifier (RFC 6570 section 2.4). */
export interface TemplateVariable {
  readonly name: string;
  /** How many characters of the value are used at most; undefined for all. */
  readonly prefix: number | undefined;
  readonly explode: boolean;
}

export interface Expression {
  /** As it is written, with its braces. */
  readonly text: string;
  readonly operator: Operator;
  readonly variables: readonly TemplateVariable[];
}

/** A template in its parts; a string is a literal. */
export type TemplatePart = string | Expression;

/** A URI template that is not well-formed or not supported. Its message is a clause that is made to be shown. */
export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';
}

const MAX_TEMPLATE_LENGTH = 2048;
const MAX_EXPRESSIONS = 32;
/** How many expressions may stand side by side with nothing that tells where one ends. */
const MAX_ADJACENT = 4;

const VARIABLE = /^((?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*)(?::([1-9]\d{0,3})|(\*))?$/;

/** RFC 6570 section 2.1, and the apostrophe, which is in the RFC's own examples. */
const NOT_LITERAL = /[\p{Cc}\s"<>\\^`|}]|%(?![0-9A-Fa-f]{2})|\p{Surrogate}/u;

/** @throws UriTemplateError */
export function parseParts(text: string): readonly TemplatePart[] {
  if (text.length > MAX_TEMPLATE_LENGTH)
    throw new UriTemplateError(`it is longer than ${MAX_TEMPLATE_LENGTH} characters`);
  const parts = text.split(/(\{[^{}]*\})/).filter((part) => part !== '');
  const parsed = parts.map((part) => (/^\{.*\}$/s.test(part) ? parseExpression(part) : parseLiteral(part)));
  const expressions = parsed.filter((part) => typeof part !== 'string');
  if (expressions.length > MAX_EXPRESSIONS)
    throw new UriTemplateError(`it has more than ${MAX_EXPRESSIONS} expressions`);
  refuseAdjacent(parsed);
  return parsed;
}

function parseLiteral(text: string): string {
  if (text.includes('{')) throw new UriTemplateError(`a "{" in "${text}" is not closed`);
  const wrong = NOT_LITERAL.exec(text);
  if (wrong === null) return text;
  const shown =
    wrong[0] === '}' ? 'a "}" that closes nothing' : `${JSON.stringify(wrong[0])}, which must be percent-encoded`;
  throw new UriTemplateError(`"${text}" has ${shown}`);
}

function parseExpression(text: string): Expression {
  const [, operator = '', list = ''] = /^\{([+#./;?&]?)(.*)\}$/s.exec(text) ?? [];
  if (/^[=,!@|]/.test(list))
    throw new UriTemplateError(`"${text}" has the operator "${list.charAt(0)}", which is reserved`);
  const variables = list.split(',').map((variable) => parseVariable(variable, text));
  const expression: Expression = { text, operator: operator as Operator, variables };
  if (!isNamed(expression) && variables.filter(({ explode }) => explode).length > 1) {
    throw new UriTemplateError(`"${text}" has two lists and nothing that tells where one ends`);
  }
  return expression;
}

function parseVariable(text: string, expression: string): TemplateVariable {
  const [, name, prefix, star] = VARIABLE.exec(text) ?? [];
  if (name !== undefined)
    return { name, prefix: prefix === undefined ? undefined : Number(prefix), explode: star === '*' };
  if (text === '') throw new UriTemplateError(`"${expression}" lacks the name of a variable`);
  throw new UriTemplateError(
    `"${text}" in "${expression}" is not a variable: use letters, digits and "_", then ":length" or "*"`,
  );
}

/** True for the operators that write `name=value`, so that what is found tells whose it is. */
export function isNamed({ operator }: Expression): boolean {
  return operator === ';' || operator === '?' || operator === '&';
}

/** True for the operators that leave reserved characters as they are. */
export function isReserved({ operator }: Expression): boolean {
  return operator === '+' || operator === '#';
}

function refuseAdjacent(parts: readonly TemplatePart[]): void {
  let adjacent = 0;
  for (const part of parts) {
    if (typeof part === 'string') adjacent = 0;
    else adjacent = part.operator === '' || part.operator === '+' ? adjacent + 1 : 1;
    if (adjacent > MAX_ADJACENT) {
      throw new UriTemplateError(
        `more than ${MAX_ADJACENT} expressions stand side by side: put something between them`,
      );
    }
  }
}
