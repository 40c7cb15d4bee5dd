import { DefinitionError } from '#catalogue/definition-error.js';
import { argumentOf, type Arguments, fromBase64, textOf } from './argument-values.js';
import { compileTemplate } from './body-template.js';
import type { BodyDefinition } from './http-tool-definition.js';
import type { KnownArguments } from './known-arguments.js';
import { compileMultipart } from './multipart-body.js';
import { compileParameters, writeForm } from './request-parameters.js';

/** A body with its content type. */
export interface RequestBody {
  readonly contentType: string;
  readonly bytes: string | Uint8Array;
}

/** Makes the body; undefined when the arguments leave none. @throws ArgumentError */
export type WriteBody = (args: Arguments) => RequestBody | undefined;

const POINTER = '/request/body';

/** Made last: what "the rest" is, is known when everything else has been compiled. @throws DefinitionError */
export function compileBody(body: BodyDefinition, method: string, known: KnownArguments): WriteBody {
  if (method === 'GET' || method === 'HEAD')
    throw new DefinitionError(POINTER, `a ${method} request has no body.`, 'Use query, or another method.');
  switch (body.type) {
    case 'json': {
      const { contentType = 'application/json' } = body;
      const template = compileTemplate(body.value ?? { $arguments: 'rest' }, `${POINTER}/value`, known);
      return (args) => {
        const value = template(args);
        return value === undefined ? undefined : { contentType, bytes: JSON.stringify(value) };
      };
    }
    case 'form': {
      const contentType = 'application/x-www-form-urlencoded';
      if (body.fields) {
        const write = compileParameters(body.fields, `${POINTER}/fields`, known);
        return (args) => ({ contentType, bytes: write(args) });
      }
      const rest = compileTemplate({ $arguments: 'rest' }, POINTER, known);
      return (args) => ({ contentType, bytes: writeForm(rest(args) as Arguments) });
    }
    case 'multipart':
      return compileMultipart(body.parts, `${POINTER}/parts`, known);
    case 'text': {
      const { contentType = 'text/plain; charset=utf-8' } = body;
      const template = compileTemplate(body.value, `${POINTER}/value`, known);
      return (args) => {
        const value = template(args);
        return value === undefined ? undefined : { contentType, bytes: textOf(value) };
      };
    }
    case 'binary': {
      const { argument, contentType = 'application/octet-stream' } = body;
      known.use(argument, `${POINTER}/argument`);
      return (args) => {
        const value = argumentOf(args, argument);
        return value === undefined || value === null ? undefined : { contentType, bytes: fromBase64(value, argument) };
      };
    }
  }
}
