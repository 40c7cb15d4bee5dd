import { z } from 'zod';

type Schema = Record<string, unknown>;

/** Where the document keeps schemas that have names. */
const SHARED = '#/components/schemas/';

/** JSON Schemas (2020-12, as OpenAPI 3.1 has them) of what routes take and answer; named ones are kept once. */
export class JsonSchemas {
  /** Those with names. */
  readonly named: Record<string, Schema> = {};

  /** What may be sent. */
  ofInput(type: z.ZodType): Schema {
    return this.of(type, 'input');
  }

  /** What is answered; new members may come with new versions. */
  ofOutput(type: z.ZodType): Schema {
    return this.of(type, 'output');
  }

  private of(type: z.ZodType, io: 'input' | 'output'): Schema {
    const schema = z.toJSONSchema(type, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum; // a bound of JavaScript, not of ours
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern; // the format says it
      },
    });
    // What refers to itself is called `__schema0` and so on in each; here every one has a name of its own.
    const text = JSON.stringify(schema)
      .replaceAll('"#/$defs/', `"${SHARED}`)
      .replaceAll('__schema', `Part${Object.keys(this.named).length}_`);
    const { $schema: _, $defs, ...own } = JSON.parse(text) as Schema & { readonly $defs?: Record<string, Schema> };
    Object.assign(this.named, $defs);
    return own;
  }
}
