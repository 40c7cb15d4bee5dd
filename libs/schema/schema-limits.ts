/** How large a JSON Schema may be. What a schema costs to check and to validate with is bounded by these. */
export interface SchemaLimits {
  /** How many subschemas may stand inside one another; the root is at depth 0. */
  readonly depth: number;
  /** Length of the schema's JSON text in UTF-8. */
  readonly bytes: number;
  /** How many schemas there may be in one document, the root included. */
  readonly subschemas: number;
}

/** The limits that hold unless the operator sets others. */
export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = Object.freeze({ depth: 32, bytes: 256 * 1024, subschemas: 2000 });
