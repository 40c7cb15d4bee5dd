import type { McpModuleOptions, PrimitiveDeclaration } from '#authoring/options.js';
import type { SchemaLimits } from '#schema/schema-limits.js';
import { DeclarationError } from '../declaration-error.js';
import type { Handler } from '../entries.js';

/** One decorated method of a module. */
export interface DeclaredMethod {
  readonly method: string;
  readonly declaration: PrimitiveDeclaration;
  readonly handler: Handler;
}

/** A decorated class with its handlers ready to run. */
export interface DeclaredModule {
  readonly type: string;
  readonly options: McpModuleOptions;
  readonly methods: readonly DeclaredMethod[];
}

/** What the compilation of one primitive needs: where it stands, for messages, and the limits. */
export interface CompileContext {
  /** The name of the source. */
  readonly source: string;
  readonly type: string;
  readonly limits: SchemaLimits;
  /**
   * The error for a fault in a declaration.
   * @param problem a sentence that goes on after a colon
   * @param mend a sentence that says what to do
   * @param pointer where in the declaration, as a JSON pointer; empty where it is all of it
   */
  fault(method: string, problem: string, mend: string, pointer?: string): Error;
}

export function compileContext(declared: DeclaredModule, limits: SchemaLimits): CompileContext {
  const { type, options } = declared;
  return {
    source: options.name,
    type,
    limits,
    fault: (method, problem, mend) => new DeclarationError({ type, method }, problem, mend),
  };
}
