import { cut } from './describe-value.js';

/** Pointers into hostile schemas can be long. */
const MAX_POINTER = 200;

/** A JSON Schema that is refused. Its text is made to be shown to whoever gave the schema. */
export class SchemaFault extends Error {
  /**
   * @param pointer where in the schema, as a JSON pointer (RFC 6901); empty for the root
   * @param problem what is wrong, as a clause without a full stop
   * @param mend what to do about it, as an imperative clause without a full stop
   */
  constructor(
    readonly pointer: string,
    readonly problem: string,
    readonly mend: string,
  ) {
    super(`At ${pointer === '' ? 'the root of the schema' : cut(pointer, MAX_POINTER)}, ${problem}: ${mend}.`);
    this.name = 'SchemaFault';
  }
}
