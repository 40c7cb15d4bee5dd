import { parse } from 'secure-json-parse';

/** Thrown by `parseJson` for text that is not JSON or is nested past the limit. */
export class JsonTextError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonTextError';
  }
}

/**
 * Parses JSON text from outside. Members named `__proto__`, and `constructor` members that hold a `prototype`, are left
 * out, so that no later copy of the value can reach an object's prototype.
 * @param maxDepth how many objects and arrays may stand inside one another
 * @throws JsonTextError
 */
export function parseJson(text: string, maxDepth: number): unknown {
  if (text.length >= 2 * maxDepth && isDeeperThan(text, maxDepth)) {
    throw new JsonTextError(`nested more than ${maxDepth} levels deep`);
  }
  try {
    return needsCare(text)
      ? parse(text, null, { protoAction: 'remove', constructorAction: 'remove' })
      : JSON.parse(text);
  } catch {
    throw new JsonTextError('not valid JSON');
  }
}

/**
 * Whether a member could be called one of the names above, plainly or with escapes, or a byte order mark stands in front.
 * Most bodies are cleared by this.
 */
function needsCare(text: string): boolean {
  return (
    text.includes('__proto__') || text.includes('constructor') || text.includes('\\u') || text.startsWith('\ufeff')
  );
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One pass over the text, so that a hostile body is refused before anything recursive sees it. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}
