import { DefinitionError } from '#catalogue/definition-error.js';
import { parseTextTemplate, TemplateFault, type TextTemplate } from './text-template.js';

/**
 * The template that stands at this place of a definition.
 * @throws DefinitionError
 */
export function templateAt(pointer: string, text: string, names: ReadonlySet<string>): TextTemplate {
  try {
    return parseTextTemplate(text, names);
  } catch (error) {
    throw error instanceof TemplateFault ? new DefinitionError(pointer, error.problem, error.mend) : error;
  }
}
