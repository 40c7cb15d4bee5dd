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

/** What the compilation of one method needs: where it stands, for messages, and the limits. */
export interface CompileContext {
  readonly module: string;
  readonly type: string;
  readonly limits: SchemaLimits;
  fault(method: string, problem: string, mend: string): DeclarationError;
}

export function compileContext(declared: DeclaredModule, limits: SchemaLimits): CompileContext {
  const { type, options } = declared;
  return {
    module: options.name,
    type,
    limits,
    fault: (method, problem, mend) => new DeclarationError({ type, method }, problem, mend),
  };
}
