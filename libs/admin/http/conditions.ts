import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerKey } from '../stores/answer.rows.js';
import { Problem } from './problem.js';

/** Entity tags, weak ones too (RFC 9110 section 8.8.3), separated by commas. */
const ENTITY_TAGS = /^(?:W\/)?"[\x21\x23-\x7e]{0,128}"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]{0,128}"){0,31}$/;
const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** The tags of `If-Match` or `If-None-Match`, or `*`; undefined where there is none. @throws Problem `invalid_request` */
export function entityTags(headers: IncomingHttpHeaders, name: 'if-match' | 'if-none-match') {
  const text = headers[name]?.trim();
  if (text === undefined || text === '*') return text === undefined ? undefined : ['*'];
  if (!ENTITY_TAGS.test(text)) throw wrongHeader(name, 'must be `*` or entity tags in quotes, such as `"xyzzy"`');
  return [...text.matchAll(ENTITY_TAG)].map(([tag]) => tag);
}

/** Tags that may be compared strongly: weak ones match nothing (RFC 9110 section 13.1.1). */
export function strong(tags: readonly string[] | undefined): readonly string[] | undefined {
  return tags?.filter((tag) => !tag.startsWith('W/'));
}

/** Whether a client has this representation already (RFC 9110 section 13.1.2). */
export function hasAlready(tags: readonly string[] | undefined, etag: string): boolean {
  return tags?.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag) === true;
}

/** The request as one that may be sent twice; undefined without an `Idempotency-Key`. @throws Problem `invalid_request` */
export function repeatOf(
  headers: IncomingHttpHeaders,
  request: Pick<AnswerKey, 'actor' | 'requestHash'>,
): AnswerKey | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return { ...request, key };
  throw wrongHeader('Idempotency-Key', 'must be 1 to 128 visible ASCII characters, such as a UUID');
}

function wrongHeader(name: string, detail: string): Problem {
  return new Problem('invalid_request', `The header field ${name} is wrong: it ${detail}.`, {
    errors: [{ parameter: name, detail }],
  });
}
