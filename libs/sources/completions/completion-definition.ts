import { z } from 'zod';
import { strictMembers } from '../read-definition.js';

const MAX_VALUES = 1_000;
export const MAX_VALUE_LENGTH = 1_024;

/**
 * How the values of an argument are suggested: those of the list that begin with what was typed, or what a tool of the
 * tenant answers when it is called with what was typed.
 */
export const completionDefinition = strictMembers({
  values: z.array(z.string().max(MAX_VALUE_LENGTH)).min(1).max(MAX_VALUES).exactOptional(),
  tool: z.string().min(1).max(128).exactOptional(),
  /** The argument of the tool that gets what was typed. */
  argument: z.string().min(1).max(128).exactOptional(),
  /** What of the tool's result are the values. */
  expression: z.string().min(1).max(1_000).exactOptional(),
}).superRefine((given, context) => {
  const { values, tool, argument, expression } = given;
  const say = (member: string, message: string): void => context.addIssue({ code: 'custom', path: [member], message });
  if ((values === undefined) === (tool === undefined))
    say('tool', 'there must be either values or a tool\nGive one of the two.');
  else if (tool !== undefined && argument === undefined)
    say('argument', 'it is missing\nSay which argument of the tool gets what was typed.');
  else if (values !== undefined && argument !== undefined) say('argument', 'it goes with a tool alone\nLeave it out.');
  else if (values !== undefined && expression !== undefined)
    say('expression', 'it goes with a tool alone\nLeave it out.');
});

export type CompletionDefinition = z.output<typeof completionDefinition>;
