/** What somebody wants to register cannot work. Its text is made to be shown to them. */
export class DefinitionError extends Error {
  /**
   * @param pointer where in the definition, as a JSON pointer (RFC 6901); empty where it is all of it
   * @param problem what is wrong, as a sentence without a capital
   * @param mend what to do about it, as a sentence
   */
  constructor(
    readonly pointer: string,
    readonly problem: string,
    readonly mend: string,
  ) {
    super(`${pointer === '' ? '' : `${pointer}: `}${problem} ${mend}`);
    this.name = 'DefinitionError';
  }
}
