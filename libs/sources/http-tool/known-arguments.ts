import { DefinitionError } from '#catalogue/definition-error.js';
import { isJsonObject, type JsonObject } from '#protocol/json.js';
import { tokensOf } from '#schema/json-pointer.js';

/** How many schemas are looked through for properties. */
const MAX_SCHEMAS = 200;
const COMBINING = ['allOf', 'anyOf', 'oneOf'] as const;

/** The arguments that an input schema declares, and which of them a request uses. */
export class KnownArguments {
  private readonly names = new Set<string>();
  private readonly required = new Set<string>();
  private readonly taken = new Set<string>();

  constructor(private readonly schema: JsonObject = {}) {
    this.collect();
  }

  /** Those that the request names so far. */
  get used(): ReadonlySet<string> {
    return this.taken;
  }

  /** @throws DefinitionError when the input schema has no such argument */
  use(name: string, pointer: string): void {
    if (!this.names.has(name)) {
      const shown = name.slice(0, 64);
      const known = [...this.names].slice(0, 50).join(', ') || 'no arguments';
      throw new DefinitionError(
        pointer,
        `the input schema has no argument "${shown}".`,
        `Add it to /input/properties, or name one that is there: ${known}.`,
      );
    }
    this.taken.add(name);
  }

  /** @throws DefinitionError when the argument may be left out */
  mustBeRequired(name: string, pointer: string): void {
    if (this.required.has(name)) return;
    throw new DefinitionError(
      pointer,
      `the path needs the argument "${name.slice(0, 64)}", which may be left out.`,
      'Name it in /input/required, or write {/name} for a segment that may be absent.',
    );
  }

  private collect(): void {
    const waiting: { readonly schema: JsonObject; readonly certain: boolean }[] = [
      { schema: this.schema, certain: true },
    ];
    for (let seen = 0; seen < MAX_SCHEMAS; seen += 1) {
      const next = waiting.shift();
      if (!next) return;
      const { schema, certain } = next;
      if (isJsonObject(schema['properties']))
        for (const name of Object.keys(schema['properties'])) this.names.add(name);
      if (certain) for (const name of listIn(schema, 'required')) if (typeof name === 'string') this.required.add(name);
      for (const keyword of COMBINING) {
        for (const inner of listIn(schema, keyword))
          if (isJsonObject(inner))
            waiting.push({ schema: inner as JsonObject, certain: certain && keyword === 'allOf' });
      }
      const referenced = this.referenced(schema['$ref']);
      if (referenced) waiting.push({ schema: referenced, certain });
    }
  }

  private referenced(reference: unknown): JsonObject | undefined {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    let at: unknown = this.schema;
    for (const token of tokensOf(reference.slice(1))) at = isJsonObject(at) ? at[token] : undefined;
    return isJsonObject(at) ? (at as JsonObject) : undefined;
  }
}

function listIn(schema: JsonObject, keyword: string): readonly unknown[] {
  const value: unknown = schema[keyword];
  return Array.isArray(value) ? value : [];
}
