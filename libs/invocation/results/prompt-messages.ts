import type { PromptMessage } from '#protocol/content.js';
import { isJsonObject } from '#protocol/json.js';
import { ResultError } from '../fault.js';
import { isContentBlock } from './is-content-block.js';

/** The members of a `GetPromptResult`, `resultType` aside. */
export interface PromptBody {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/**
 * A prompt from what its handler returned: a string or content is one message of the user's, messages are messages.
 * @throws ResultError for anything else
 */
export function toPromptBody(returned: unknown, description: string | undefined): PromptBody {
  const described = description === undefined ? {} : { description };
  if (typeof returned === 'string')
    return { ...described, messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  if (isContentBlock(returned)) return { ...described, messages: [{ role: 'user', content: returned }] };
  if (isMessages(returned)) return { ...described, messages: returned };
  if (isJsonObject(returned) && isMessages(returned['messages'])) {
    const own = returned['description'];
    return { ...described, ...(typeof own === 'string' && { description: own }), messages: returned['messages'] };
  }
  throw new ResultError('A prompt handler returns text, content, messages, or an object with messages.');
}

function isMessages(value: unknown): value is readonly PromptMessage[] {
  return (
    Array.isArray(value) &&
    value.every(
      (message: unknown) =>
        isJsonObject(message) &&
        (message['role'] === 'user' || message['role'] === 'assistant') &&
        isContentBlock(message['content']),
    )
  );
}
