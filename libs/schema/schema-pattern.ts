/** More than this many characters make no sensible `pattern`, and cost too much to compile. */
export const MAX_PATTERN_LENGTH = 2000;

/**
 * The regular expression of a `pattern`. JSON Schema asks for Unicode semantics (2020-12 core, section 6.4); patterns that
 * are only valid without them, such as `[\w-.]`, are common and are taken as they are.
 * @throws SyntaxError
 */
export function patternRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/**
 * True when matching costs time in proportion to the string for certain: no quantifier and no alternative, or one
 * quantifier on one character in a pattern that is tied to the start. Says no when in doubt.
 */
export function isLinear(pattern: string): boolean {
  const skeleton = pattern
    .replace(/\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\./gsu, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:[:=!]|<[=!]|<[^>]*>)/g, '(')
    .replace(/\{(\d+)\}/g, '');
  const choices = skeleton.match(/[*+?|]|\{\d+,\d*\}/g) ?? [];
  if (choices.length === 0) return true;
  return choices.length === 1 && skeleton.startsWith('^') && !/\||\)[*+?{]/.test(skeleton);
}
