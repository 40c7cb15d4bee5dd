const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Verdicts on `Accept` values seen before; hosts send the same few over and over. */
const verdicts = new Map<string, boolean>();
const MAX_VERDICTS = 256;

/** Whether a `Content-Type` says JSON in UTF-8 (RFC 8259 section 8.1 knows no other charset). */
export function isJsonType(contentType: string | undefined): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    type === JSON_TYPE &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter))
  );
}

/**
 * Whether an `Accept` permits both of what the endpoint answers with (specification: streamable-http, "Sending
 * Messages"). A missing field permits everything (RFC 9110 section 12.5.1).
 */
export function acceptsBoth(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const known = verdicts.get(accept);
  if (known !== undefined) return known;
  const verdict = permits(accept, JSON_TYPE) && permits(accept, STREAM_TYPE);
  if (accept.length < 256 && verdicts.size < MAX_VERDICTS) verdicts.set(accept, verdict);
  return verdict;
}

/** The most specific range decides; `q=0` forbids. */
function permits(accept: string, type: string): boolean {
  const [family = ''] = type.split('/');
  const ranges = new Map(accept.split(',').map(readRange));
  return (ranges.get(type) ?? ranges.get(`${family}/*`) ?? ranges.get('*/*') ?? 0) > 0;
}

function readRange(text: string): readonly [string, number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return [range, Number.isNaN(quality) ? 0 : quality];
}
