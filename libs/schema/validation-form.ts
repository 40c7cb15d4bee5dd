import type { JsonObject, JsonValue } from '#protocol/json.js';
import { pointerTo } from './json-pointer.js';
import type { Survey } from './schema-survey.js';
import { childrenOf, type Child, type Subschema } from './subschemas.js';

/** The keywords that assert something by themselves; with those that hold schemas, all that validation needs. */
const ASSERTIONS = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
] as const;

/** Keywords whose schemas apply to nothing where they stand. */
const INERT: ReadonlySet<string> = new Set(['$defs', 'definitions', 'contentSchema']);

/**
 * The same schema, written so that Ajv needs no identifiers and knows every keyword: each target of a reference stands
 * once, under `$defs`, and every reference is a pointer to it. This keeps schemas of different tenants out of each
 * other's name space, and takes away what Ajv gives a meaning of its own (`$async`, `nullable`, `id`, `discriminator`)
 * although JSON Schema says that unknown keywords mean nothing.
 */
export function validationForm(survey: Survey): JsonObject {
  return new FormBuilder(survey).build();
}

class FormBuilder {
  private readonly targets: ReadonlyMap<Subschema, string>;

  constructor(private readonly survey: Survey) {
    const targets = [...survey.references.values()].flat().filter((target) => typeof target !== 'boolean');
    this.targets = new Map([...new Set(targets)].map((target, index) => [target, String(index)]));
  }

  build(): JsonObject {
    const definitions = [...this.targets].map(([target, name]) => [name, this.write(target as JsonObject)] as const);
    const root = this.targets.has(this.survey.root) ? this.refer(this.survey.root) : this.write(this.survey.root);
    return { ...(root as JsonObject), $defs: Object.fromEntries(definitions) };
  }

  /** Recurses: the survey has checked the depth. */
  private write(schema: JsonObject): JsonObject {
    const references = (this.survey.references.get(schema) ?? []).map((target) => this.refer(target));
    const [only] = references;
    // Draft-07 section 8.3: what stands beside a `$ref` is ignored.
    if (only !== undefined && this.survey.dialect === 'draft-07') return { allOf: [only] };
    // Nothing fits an empty `enum`, which is valid JSON Schema; Ajv refuses it.
    const isImpossible = Array.isArray(schema['enum']) && schema['enum'].length === 0;
    const asserted = ASSERTIONS.filter((keyword) => Object.hasOwn(schema, keyword))
      .filter((keyword) => keyword !== 'enum' || !isImpossible)
      .map((keyword) => [keyword, schema[keyword] as JsonValue] as const);
    const form = { ...Object.fromEntries(asserted), ...this.writeChildren(schema) };
    const all = [
      ...((form['allOf'] as JsonValue[] | undefined) ?? []),
      ...references,
      ...(isImpossible ? [false] : []),
    ];
    return all.length > 0 ? { ...form, allOf: all } : form;
  }

  private writeChildren(schema: JsonObject): JsonObject {
    const form: JsonObject = {};
    const children = childrenOf(schema).filter(({ keyword }) => !INERT.has(keyword));
    for (const keyword of new Set(children.map((child) => child.keyword))) {
      form[keyword] = this.writeKeyword(children.filter((child) => child.keyword === keyword));
    }
    if (schema['dependencies'] !== undefined) Object.assign(form, this.writeDependencies(schema['dependencies'], form));
    return outOfTheWayOfPrototypes(form);
  }

  private writeKeyword(children: readonly Child[]): JsonValue {
    const written = children.map(({ token, schema }) => [token, this.refer(schema)] as const);
    const [first] = written;
    if (first === undefined || first[0] === undefined) return first?.[1] ?? true;
    if (typeof first[0] === 'number') return written.map(([, schema]) => schema);
    return Object.fromEntries(written as readonly (readonly [string, JsonValue])[]);
  }

  /** `dependencies` holds lists of names beside schemas. */
  private writeDependencies(dependencies: JsonValue, form: JsonObject): JsonObject {
    const lists = Object.entries(dependencies as JsonObject).filter(([, value]) => Array.isArray(value));
    return { dependencies: { ...(form['dependencies'] as JsonObject | undefined), ...Object.fromEntries(lists) } };
  }

  private refer(schema: Subschema): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema;
    const name = this.targets.get(schema);
    return name === undefined ? this.write(schema) : { $ref: pointerTo('#/$defs', name) };
  }
}

/** Ajv passes over a property that is called `__proto__`; as a pattern it is checked like any other. */
function outOfTheWayOfPrototypes(form: JsonObject): JsonObject {
  const properties = form['properties'] as JsonObject | undefined;
  if (properties === undefined || !Object.hasOwn(properties, '__proto__')) return form;
  const { ['__proto__']: moved, ...others } = properties;
  const patterns = form['patternProperties'] as JsonObject | undefined;
  return { ...form, properties: others, patternProperties: { ...patterns, '^__proto__$': moved as JsonValue } };
}
