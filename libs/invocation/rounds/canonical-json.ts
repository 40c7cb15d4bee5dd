/**
 * JSON text that is the same for values that are equal whatever the order of their members, and another one for all
 * others, also for numbers that JSON text can write and JSON.stringify cannot.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'number' && (!Number.isFinite(member) || Object.is(member, -0)))
      return { number: String(member) };
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
