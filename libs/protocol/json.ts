/** Any value that JSON text can hold (RFC 8259). */
export type JsonValue = string | number | boolean | null | JsonObject | JsonArray;

/** A JSON object. Absent members are absent, never `undefined`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A JSON array. */
export type JsonArray = JsonValue[];

/** True for an object literal as `JSON.parse` makes them: not `null`, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
