const UNRESERVED = /^[A-Za-z0-9\-._~]$/;
const NOTHING_ENCODED = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]*$/;
const ALLOWED = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]$/;

/**
 * A URI as the characters that it encodes, each in one spelling (RFC 3986 section 6.2.2): unreserved ones as they are,
 * others percent-encoded in upper case where they were encoded. What a URI cannot hold is encoded (RFC 3987 section 3.1).
 * Undefined when percent-encoding is malformed or is not UTF-8.
 */
export function charactersOf(uri: string): readonly string[] | undefined {
  if (NOTHING_ENCODED.test(uri)) return Array.from(uri);
  const characters: string[] = [];
  for (let at = 0; at < uri.length;) {
    const raw =
      uri.charAt(at) === '%'
        ? uri.slice(at, at + lengthOfEncoded(uri, at))
        : String.fromCodePoint(uri.codePointAt(at) ?? 0);
    const character = raw.startsWith('%') ? encodedCharacter(raw) : plainCharacter(raw);
    if (character === undefined) return undefined;
    characters.push(character);
    at += raw.length;
  }
  return characters;
}

/** How long the percent-encoded UTF-8 character is that begins here, by its first byte; whether it is one shows later. */
function lengthOfEncoded(uri: string, at: number): number {
  const first = Number.parseInt(uri.slice(at + 1, at + 3), 16);
  if (first >= 0xf0) return 12;
  if (first >= 0xe0) return 9;
  return first >= 0xc0 ? 6 : 3;
}

function encodedCharacter(raw: string): string | undefined {
  try {
    const decoded = decodeURIComponent(raw);
    return UNRESERVED.test(decoded) ? decoded : raw.toUpperCase();
  } catch {
    return undefined;
  }
}

function plainCharacter(raw: string): string | undefined {
  if (ALLOWED.test(raw)) return raw;
  try {
    return encodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
