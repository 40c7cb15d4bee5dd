import { z } from 'zod';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { JsonObject } from '#protocol/json.js';
import { JsonTextError, parseJson } from '#protocol/json-text.js';
import { readDefinition, strictMembers } from '../read-definition.js';

/** The longest body, in bytes. */
const MAX_BODY = 256 * 1024;

const notice = strictMembers({ uris: z.array(z.string().min(1).max(2_048)).min(1).max(100) });

/**
 * Which resources have changed, each once.
 * @throws DefinitionError when the body does not say it
 */
export function readNotice(body: Uint8Array): readonly string[] {
  if (body.byteLength > MAX_BODY) throw new DefinitionError('', 'the body is too long.', `At most ${MAX_BODY} bytes.`);
  return [...new Set(readDefinition(notice, parse(body)).uris)];
}

function parse(body: Uint8Array): JsonObject {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body), 4) as JsonObject;
  } catch (error) {
    const reason = error instanceof JsonTextError ? error.message : 'not UTF-8';
    throw new DefinitionError('', `the body is ${reason}.`, 'Send {"uris": ["…"]}.');
  }
}
