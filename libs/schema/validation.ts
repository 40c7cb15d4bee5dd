/** One thing that is wrong with a value, for a model or a person to mend. */
export interface Issue {
  /** Where in the value, such as `day` or `guests[2].name`; empty for the value itself. */
  readonly path: string;
  /** What is expected and, kept short, what was given. */
  readonly message: string;
}

/** Either the value to go on with (after defaults and transforms, where the schema has them) or what is wrong, at most 20 issues. */
export type Validation = { readonly value: unknown } | { readonly issues: readonly Issue[] };

/** Checks one value. Does not change it. */
export type Validator = (value: unknown) => Validation | Promise<Validation>;

/** How many issues one validation reports. */
export const MAX_ISSUES = 20;
