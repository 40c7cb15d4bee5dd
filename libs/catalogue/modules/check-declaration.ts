import { pointerTo } from '#schema/json-pointer.js';
import type { CompileContext } from './declared-module.js';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e\u00a1-\uffff]+$/;
/** The longest timer that Node keeps. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const META_KEY =
  /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/)?(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;

/** Names of tools and prompts (specification: server/tools, "Tool Names"). */
export function checkName(context: CompileContext, method: string, name: string): void {
  if (NAME.test(name)) return;
  throw context.fault(
    method,
    `the name "${name.slice(0, 140)}" is not allowed.`,
    'Use 1 to 128 of A-Z, a-z, 0-9, "_", "-" and ".".',
    '/name',
  );
}

/** URIs of resources (RFC 3986: a scheme and something behind it). */
export function checkUri(context: CompileContext, method: string, uri: string): void {
  if (isUri(uri)) return;
  throw context.fault(
    method,
    `"${uri.slice(0, 140)}" is not an absolute URI.`,
    'Write it like "notes://today".',
    '/uri',
  );
}

/** Whether a text is an absolute URI, as far as the platform looks at one. */
export function isUri(text: string): boolean {
  return URI.test(text) && text.length <= 2048;
}

interface Common {
  readonly scopes?: readonly string[];
  readonly timeoutMs?: number;
  readonly icons?: readonly { readonly src: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly ttlMs?: number;
}

/** What every primitive may declare. */
export function checkCommon(context: CompileContext, method: string, options: Common): void {
  const { scopes = [], timeoutMs, icons = [], _meta = {}, ttlMs } = options;
  for (const [index, scope] of scopes.entries()) {
    if (!SCOPE.test(scope))
      throw context.fault(
        method,
        `"${scope}" is not an OAuth scope.`,
        'Use visible ASCII without quotes, backslashes and spaces (RFC 6749 section 3.3).',
        `/scopes/${index}`,
      );
  }
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw context.fault(method, `timeoutMs is ${timeoutMs}.`, 'Give whole milliseconds above 0.', '/timeoutMs');
  }
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 0)) {
    throw context.fault(method, `ttlMs is ${ttlMs}.`, 'Give whole milliseconds, 0 for "do not cache".', '/ttlMs');
  }
  for (const [index, { src }] of icons.entries()) {
    if (!/^(?:https?:\/\/|data:image\/)/.test(src))
      throw context.fault(
        method,
        'an icon has an unsafe address.',
        'Use an https: or data: URI.',
        `/icons/${index}/src`,
      );
  }
  for (const key of Object.keys(_meta)) {
    if (!META_KEY.test(key))
      throw context.fault(
        method,
        `the _meta key "${key}" is malformed.`,
        'Write it like "com.example/key".',
        pointerTo('/_meta', key),
      );
    if (isReserved(key))
      throw context.fault(
        method,
        `the _meta key "${key}" is reserved for MCP.`,
        'Use a prefix of your own.',
        pointerTo('/_meta', key),
      );
  }
}

/** Prefixes whose second label is `modelcontextprotocol` or `mcp` (specification: basic, "_meta"); extensions may use theirs. */
function isReserved(key: string): boolean {
  const [prefix = '', name] = key.split('/');
  const second = prefix.split('.')[1];
  return name !== undefined && (second === 'modelcontextprotocol' || second === 'mcp') && !key.endsWith('/ui');
}
