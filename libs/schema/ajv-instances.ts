import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '#protocol/json.js';
import type { Dialect } from './schema-dialect.js';
import { patternRegExp } from './schema-pattern.js';

const CLASSES = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv } as const;

const META_SCHEMAS: Readonly<Record<Dialect, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
};

const OPTIONS: Options = {
  // JSON Schema ignores unknown keywords and takes unknown formats as annotations; Ajv's strict mode refuses both.
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  formats: fullFormats,
  // Without it `required: ["constructor"]` is met by every object, and a property of that name is never absent.
  ownProperties: true,
  // 0.3 is a multiple of 0.1.
  multipleOfPrecision: 10,
  // Inlined, a large definition is generated again for each reference to it.
  inlineRefs: false,
  // Optimising the generated code doubles the time of compiling and gains nothing that can be measured.
  code: {
    optimize: false,
    regExp: Object.assign((pattern: string) => patternRegExp(pattern), { code: 'patternRegExp' }),
  },
};

/** An instance holds on to all that it ever compiled, so each serves this many schemas and is then let go. */
const SCHEMAS_PER_INSTANCE = 100;

/** Whether validation ends with the first issue or finds them all. */
export type Thoroughness = 'first' | 'all';

class Compiler {
  private ajv: InstanceType<(typeof CLASSES)[Dialect]> | undefined;
  private compiled = 0;

  constructor(
    private readonly dialect: Dialect,
    private readonly thoroughness: Thoroughness,
  ) {}

  compile(form: JsonObject): ValidateFunction {
    if (this.compiled === SCHEMAS_PER_INSTANCE) this.ajv = undefined;
    this.ajv ??= this.renew();
    this.compiled += 1;
    return this.ajv.compile(form);
  }

  private renew(): InstanceType<(typeof CLASSES)[Dialect]> {
    this.compiled = 0;
    return new CLASSES[this.dialect]({ ...OPTIONS, allErrors: this.thoroughness === 'all' });
  }
}

const compilers = new Map<string, Compiler>();
const metaSchemas = new Map<Dialect, ValidateFunction>();

/** Compiles a validation form, in which there are no identifiers. About a millisecond for a small schema. */
export function compileForm(form: JsonObject, dialect: Dialect, thoroughness: Thoroughness): ValidateFunction {
  const key = `${dialect} ${thoroughness}`;
  const compiler = compilers.get(key) ?? new Compiler(dialect, thoroughness);
  compilers.set(key, compiler);
  return compiler.compile(form);
}

/** Validates a schema as such. Compiled at first use, about 40 milliseconds. */
export function metaSchemaOf(dialect: Dialect): ValidateFunction {
  const known = metaSchemas.get(dialect);
  if (known !== undefined) return known;
  const ajv = new CLASSES[dialect]({ strict: false, logger: false, validateFormats: false });
  const compiled = ajv.getSchema(META_SCHEMAS[dialect]);
  if (compiled === undefined) throw new Error(`Ajv has no meta-schema for ${dialect}.`);
  metaSchemas.set(dialect, compiled);
  return compiled;
}
