import type { Completer, ToolCompletion } from '#catalogue/entries.js';
import type { JsonValue } from '#protocol/json.js';
import { compileExpression } from '../http-tool/expression.js';
import type { CompletionDefinition } from './completion-definition.js';
import { valuesIn } from './values-in.js';

/** How much an expression may make of what a tool answered, in characters and members. */
const MAX_SIZE = 1_000_000;

/**
 * How an argument is completed.
 * @param pointer where the completion stands in the definition
 * @throws DefinitionError
 */
export function completerOf(
  { values, tool = '', argument = '', expression }: CompletionDefinition,
  pointer: string,
): Completer {
  return values ?? { tool, argument, values: expression === undefined ? valuesIn : picking(expression, pointer) };
}

function picking(expression: string, pointer: string): ToolCompletion['values'] {
  const pick = compileExpression(expression, `${pointer}/expression`);
  return (answer) => valuesIn(pick(answer as JsonValue, MAX_SIZE));
}
