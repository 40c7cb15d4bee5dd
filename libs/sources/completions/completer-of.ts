import type { Completer } from '#catalogue/entries.js';
import type { CompletionDefinition } from './completion-definition.js';
import { valuesIn } from './values-in.js';

/** How an argument is completed. */
export function completerOf({ values, tool = '', argument = '' }: CompletionDefinition): Completer {
  return values ?? { tool, argument, values: valuesIn };
}
