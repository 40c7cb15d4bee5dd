import { audio, blob, embedded, image, text } from '#authoring/content.js';
import { ToolResult } from '#authoring/tool-result.js';
import type { OutboundResponse } from '#outbound/outbound-request.js';
import type { ResourceContents } from '#protocol/content.js';
import type { JsonValue } from '#protocol/json.js';
import { ExpressionError } from './bounded-interpreter.js';
import { isErrorStatus, messageOf } from './error-statuses.js';
import { compileExpression, type Expression } from './expression.js';
import { hideSecrets } from './hide-secrets.js';
import { bytesIn, isJson, isText, jsonIn, mediaTypeOf, textIn } from './response-body.js';
import type { ResponseDefinition } from './response-definition.js';

/** Makes the result of a response. @param secrets what must not be told, should the service send it back */
export type ReadResponse = (response: OutboundResponse, secrets: readonly string[]) => ToolResult;

/** How much of an error's body is told, in characters. */
const MAX_EXCERPT = 1_000;

interface Reading {
  readonly as: ResponseDefinition['as'];
  readonly errors: ResponseDefinition['errors'];
  readonly pick: Expression | undefined;
  readonly pickError: Expression | undefined;
  readonly maxSize: number;
  /** Whether the result must be structured, as an output schema wants it. */
  readonly structured: boolean;
}

/** @throws DefinitionError when an expression cannot work */
export function compileResponse(
  definition: ResponseDefinition,
  { maxSize, structured }: Pick<Reading, 'maxSize' | 'structured'>,
): ReadResponse {
  const { as, errors, expression } = definition;
  const reading: Reading = {
    as,
    errors,
    pick: expression === undefined ? undefined : compileExpression(expression, '/response/expression'),
    pickError:
      errors.expression === undefined ? undefined : compileExpression(errors.expression, '/response/errors/expression'),
    maxSize,
    structured,
  };
  return (response, secrets) =>
    isErrorStatus(response.status, errors) ? failure(reading, response, secrets) : success(reading, response, secrets);
}

function success(reading: Reading, response: OutboundResponse, secrets: readonly string[]): ToolResult {
  const { status, body } = response;
  if (body.byteLength === 0 && !reading.structured)
    return textual(`Done: the service answered ${status} with nothing else.`);
  const type = mediaTypeOf(response);
  switch (kindOf(reading, type)) {
    case 'json':
      return structured(reading, response, secrets);
    case 'text':
      return textual(textIn(response, secrets));
    case 'image':
      return new ToolResult({ content: [image(bytesIn(response, secrets), type || 'image/png')] });
    case 'audio':
      return new ToolResult({ content: [audio(bytesIn(response, secrets), type || 'audio/mpeg')] });
    case 'resource':
      return new ToolResult({ content: [embedded(asResource(response, secrets, type))] });
  }
}

/** Whoever gives an expression or an output schema expects JSON, whatever the service calls it. */
function kindOf({ as, pick, structured: wanted }: Reading, type: string): Exclude<Reading['as'], 'auto'> {
  if (as !== 'auto') return as;
  if (wanted || pick !== undefined || isJson(type)) return 'json';
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'image';
  if (type.startsWith('audio/')) return 'audio';
  return type === '' || isText(type) ? 'text' : 'resource';
}

function structured(reading: Reading, response: OutboundResponse, secrets: readonly string[]): ToolResult {
  const json = jsonIn(textIn(response, secrets));
  if (!json) {
    const type = mediaTypeOf(response) || 'no content type';
    return failed(
      `The service answered ${response.status} with something that is not JSON (${type}), which this tool expects.`,
    );
  }
  try {
    const value = reading.pick ? reading.pick(json.value, reading.maxSize) : json.value;
    return new ToolResult({ content: [text(asText(value))], structuredContent: value });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return failed(`The service answered, but nothing could be read from it: the tool's expression ${error.message}.`);
  }
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the model needs to mend the call: the status, the admin's words for it, what the service said. */
function failure(reading: Reading, response: OutboundResponse, secrets: readonly string[]): ToolResult {
  const { status } = response;
  const message = messageOf(status, reading.errors) ?? `The service answered with the error ${status}.`;
  const said = saidOf(reading, response, secrets);
  return failed(said === undefined ? message : `${message}\nIt said: ${said}`);
}

function saidOf(reading: Reading, response: OutboundResponse, secrets: readonly string[]): string | undefined {
  const type = mediaTypeOf(response);
  const readable = isJson(type) || (isText(type) && type !== 'text/html');
  if (!readable || response.body.byteLength === 0) return undefined;
  const body = textIn(response, secrets).trim();
  if (reading.pickError) {
    const picked = pickedOf(reading, body);
    if (picked !== undefined) return short(picked);
  }
  return reading.errors.excerpt ? short(body) : undefined;
}

function pickedOf({ pickError, maxSize }: Reading, body: string): string | undefined {
  try {
    const json = jsonIn(body);
    const picked = json && pickError?.(json.value, maxSize);
    return picked === undefined || picked === null ? undefined : asText(picked);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function short(said: string): string {
  return said.length <= MAX_EXCERPT ? said : `${said.slice(0, MAX_EXCERPT)}…`;
}

function asResource(response: OutboundResponse, secrets: readonly string[], type: string): ResourceContents {
  const uri = hideSecrets(addressOf(response), secrets);
  return blob(uri, bytesIn(response, secrets), type || 'application/octet-stream');
}

/** Where it came from, without the query, which may hold a key. */
function addressOf({ request }: OutboundResponse): string {
  return `${request.origin}${request.path.split('?', 1)[0] ?? ''}`;
}

function textual(value: string): ToolResult {
  return new ToolResult({ content: [text(value)] });
}

function failed(message: string): ToolResult {
  return new ToolResult({ content: [text(message)], isError: true });
}
