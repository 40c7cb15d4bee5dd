/** A module is declared wrongly. Stops the boot; the message names the class, the method and the mend. */
export class DeclarationError extends Error {
  constructor(where: { readonly type: string; readonly method?: string }, problem: string, mend: string) {
    super(`${where.method === undefined ? where.type : `${where.type}.${where.method}`}: ${problem} ${mend}`);
    this.name = 'DeclarationError';
  }
}
