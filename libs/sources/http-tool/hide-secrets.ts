/** Standing in for a secret that a service sent back. */
const HIDDEN = '[hidden]';
/** Shorter ones would be found where they do not stand. */
const LEAST_SECRET = 6;
/** Longer ones are looked for as they are. */
const MOST_ESCAPED = 4_096;

/**
 * The text without these secrets, which a service may send back: as they are, or escaped as writers of JSON do it, such as
 * `\/` for `/` and `\u002B` for `+`. What a service hides on purpose cannot be found.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let hidden = text;
  for (const secret of secrets) {
    if (secret.length < LEAST_SECRET) continue;
    if (hidden.includes(secret)) hidden = hidden.replaceAll(secret, HIDDEN);
    if (mayBeEscaped(hidden, secret)) hidden = hidden.replace(escapedForms(secret), HIDDEN);
  }
  return hidden;
}

/** Letters and digits are never escaped, so the longest run of them must be there. */
function mayBeEscaped(text: string, secret: string): boolean {
  if (secret.length > MOST_ESCAPED || !text.includes('\\')) return false;
  const runs = secret.split(/[^A-Za-z0-9]+/);
  return runs.length > 1 && text.includes(runs.reduce((longest, run) => (run.length > longest.length ? run : longest)));
}

function escapedForms(secret: string): RegExp {
  const forms = Array.from(secret, (character) => {
    if (/[A-Za-z0-9]/.test(character)) return character;
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:\\\\?\\u{${code}}|\\\\u${digits})`;
  });
  return new RegExp(forms.join(''), 'gu');
}
