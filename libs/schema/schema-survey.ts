import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';
import { pointerTo } from './json-pointer.js';
import { dialectOf, type Dialect } from './schema-dialect.js';
import { SchemaFault } from './schema-fault.js';
import type { SchemaLimits } from './schema-limits.js';
import { isLinear, MAX_PATTERN_LENGTH, patternRegExp } from './schema-pattern.js';
import { SchemaResources } from './schema-resources.js';
import { childrenOf, isSubschema, type Place, type Subschema } from './subschemas.js';

/** What one walk over a schema found out. */
export interface Survey {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly places: ReadonlyMap<JsonObject, Place>;
  /** What `$ref`, `$dynamicRef` and `$recursiveRef` of a schema point to: always schemas of the same document. */
  readonly references: ReadonlyMap<JsonObject, readonly Subschema[]>;
  /** Schemas that are such only because a reference points to them: the meta-schema does not reach them. */
  readonly outlying: readonly Place[];
  /** How many schemas there are, booleans included. */
  readonly subschemas: number;
  /** True when some pattern might take more than linear time. */
  readonly slowPattern: boolean;
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/**
 * Walks every schema of a document, with a list instead of recursion, and resolves every reference.
 * @throws SchemaFault past a limit, for a reference that leads out of the document, for identifiers that clash, for a
 *   dialect inside another and for patterns that are not regular expressions
 */
export function surveySchema(root: JsonObject, dialect: Dialect, limits: SchemaLimits): Survey {
  return new Surveyor(root, dialect, limits).survey();
}

class Surveyor {
  private readonly places = new Map<JsonObject, Place>();
  private readonly references = new Map<JsonObject, Subschema[]>();
  private readonly resources: SchemaResources;
  private readonly unseen: Place[] = [];
  private readonly outlying: Place[] = [];
  private subschemas = 0;
  private slowPattern = false;

  constructor(
    private readonly root: JsonObject,
    private readonly dialect: Dialect,
    private readonly limits: SchemaLimits,
  ) {
    this.resources = new SchemaResources(root, dialect);
  }

  survey(): Survey {
    this.unseen.push({ schema: this.root, pointer: '', base: '', depth: 0 });
    // A reference may point below a keyword that is no schema keyword, and what is found there may hold references.
    for (let resolved = 0; this.unseen.length > 0; resolved = this.resolveFrom(resolved)) this.visitUnseen();
    const { root, dialect, places, references, outlying, subschemas, slowPattern } = this;
    return { root, dialect, places, references, outlying, subschemas, slowPattern };
  }

  private visitUnseen(): void {
    for (let next = this.unseen.pop(); next !== undefined; next = this.unseen.pop()) this.visit(next);
  }

  private visit(found: Place): void {
    if (this.places.has(found.schema)) return;
    this.count(found.pointer);
    const place = { ...found, base: this.resources.enter(found) };
    this.places.set(place.schema, place);
    this.checkDialect(place);
    this.checkPatterns(place);
    for (const { keyword, token, schema } of childrenOf(place.schema)) {
      const below = pointerTo(place.pointer, keyword);
      this.enter(schema, token === undefined ? below : pointerTo(below, token), place);
    }
  }

  private enter(schema: Subschema, pointer: string, parent: Place): void {
    const depth = parent.depth + 1;
    if (depth > this.limits.depth) {
      throw new SchemaFault(
        pointer,
        `the schema nests more than ${this.limits.depth} subschemas deep`,
        'move inner schemas to "$defs" and use "$ref"',
      );
    }
    if (typeof schema === 'boolean') this.count(pointer);
    else this.unseen.push({ schema, pointer, base: parent.base, depth });
  }

  private count(pointer: string): void {
    this.subschemas += 1;
    if (this.subschemas <= this.limits.subschemas) return;
    throw new SchemaFault(pointer, `the schema has more than ${this.limits.subschemas} subschemas`, 'make it smaller');
  }

  private resolveFrom(first: number): number {
    const places = [...this.places.values()];
    for (const place of places.slice(first)) {
      const targets = REFERENCES.flatMap((keyword) => this.resolve(place, keyword));
      if (targets.length > 0) this.references.set(place.schema, targets);
    }
    return places.length;
  }

  private resolve(place: Place, keyword: (typeof REFERENCES)[number]): Subschema[] {
    const reference = place.schema[keyword];
    if (typeof reference !== 'string') return [];
    const { value, pointer, base } = this.resources.resolve(place, keyword, reference);
    if (!isSubschema(value)) {
      throw new SchemaFault(
        pointerTo(place.pointer, keyword),
        `${JSON.stringify(reference)} points to ${value === undefined ? 'nothing' : 'something that is not a schema'}`,
        'point to a schema of this document, such as "#/$defs/name"',
      );
    }
    if (typeof value !== 'boolean' && !this.places.has(value))
      this.enterOutlying({ schema: value, pointer, base, depth: 1 });
    return [value];
  }

  private enterOutlying(place: Place): void {
    this.outlying.push(place);
    this.unseen.push(place);
  }

  private checkDialect({ schema, pointer }: Place): void {
    if (pointer === '' || schema['$schema'] === undefined || dialectOf(schema, pointer) === this.dialect) return;
    throw new SchemaFault(`${pointer}/$schema`, 'the schema changes its dialect here', 'use one dialect throughout');
  }

  private checkPatterns({ schema, pointer }: Place): void {
    this.checkPattern(schema['pattern'], pointerTo(pointer, 'pattern'));
    const patterns = schema['patternProperties'];
    if (!isJsonObject(patterns)) return;
    for (const pattern of Object.keys(patterns))
      this.checkPattern(pattern, pointerTo(`${pointer}/patternProperties`, pattern));
  }

  private checkPattern(pattern: JsonValue | undefined, pointer: string): void {
    if (typeof pattern !== 'string') return;
    if (pattern.length > MAX_PATTERN_LENGTH) {
      throw new SchemaFault(pointer, `the pattern is longer than ${MAX_PATTERN_LENGTH} characters`, 'make it shorter');
    }
    try {
      patternRegExp(pattern);
    } catch {
      throw new SchemaFault(pointer, 'the pattern is not a regular expression', 'write it in the syntax of ECMAScript');
    }
    this.slowPattern ||= !isLinear(pattern);
  }
}
