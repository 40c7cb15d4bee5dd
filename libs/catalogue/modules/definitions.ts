import type { JsonObject } from '#protocol/json.js';

/**
 * A definition as clients see it: members that are undefined are left out, and what is left is plain JSON with the order
 * of members kept.
 */
export function definition(members: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(members)) as JsonObject;
}
