import { DefinitionError } from '#catalogue/definition-error.js';
import type { CompileContext } from '#catalogue/modules/declared-module.js';
import type { SourceContext } from './registered-sources.js';

/** How what was registered is compiled by the same functions as decorated methods: faults point into the definition. */
export function registeredContext({ source, limits }: Pick<SourceContext, 'source' | 'limits'>): CompileContext {
  return {
    source: source.name,
    type: `the source "${source.name}"`,
    limits,
    fault: (_method, problem, mend, pointer = '') => new DefinitionError(pointer, problem, mend),
  };
}
