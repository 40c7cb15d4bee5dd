import type { PromptContext } from '#authoring/context.js';
import { ShownError } from '#authoring/shown-error.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { CompiledSource, Completer, Handler } from '#catalogue/entries.js';
import { compilePrompt } from '#catalogue/modules/compile-prompt.js';
import { definition } from '#catalogue/modules/definitions.js';
import type { PromptMessage, Role } from '#protocol/content.js';
import type { JsonObject } from '#protocol/json.js';
import { completerOf } from '../completions/completer-of.js';
import { readDefinition } from '../read-definition.js';
import { registeredContext } from '../registered-context.js';
import type { SourceContext } from '../registered-sources.js';
import { sourceOf } from '../source-of.js';
import { lengthLimit } from '../templates/length-limit.js';
import { compileContent, type ContentParts, type MakeContent } from './compile-content.js';
import { type ArgumentDefinition, promptDefinition } from './prompt-definition.js';

/** A registered prompt (specification: server/prompts). @throws DefinitionError */
export function compilePromptSource(context: SourceContext): CompiledSource {
  const { source } = context;
  const { arguments: given = [], messages, ...options } = readDefinition(promptDefinition, source.definition);
  const names = namesOf(given);
  const parts = messages.map(({ role, content }, index) => {
    return { role, make: compileContent(content, { pointer: `/messages/${index}/content`, names }) };
  });
  const input = inputOf(given);
  const entry = compilePrompt(
    registeredContext(context),
    source.name,
    { ...options, input },
    context.wrap(handlerOf(parts)),
  );
  const prompt = { ...entry, completers: new Map([...entry.completers, ...completersOf(given)]) };
  return sourceOf(source, { prompts: [prompt] });
}

function namesOf(given: readonly ArgumentDefinition[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, { name }] of given.entries()) {
    if (names.has(name))
      throw new DefinitionError(`/arguments/${index}/name`, 'another argument has this name.', 'Choose another.');
    names.add(name);
  }
  return names;
}

/** Arguments are texts on the wire. */
function inputOf(given: readonly ArgumentDefinition[]): JsonObject {
  const properties = given.map(({ name, title, description, enum: values }) => {
    const shape = { type: 'string', title, description, enum: values };
    return [name, definition(shape)] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

function completersOf(given: readonly ArgumentDefinition[]): readonly (readonly [string, Completer])[] {
  return given.flatMap(({ name, completion }, index) => {
    return completion ? [[name, completerOf(completion, `/arguments/${index}/completion`)] as const] : [];
  });
}

/** How much may be read for one prompt, in characters. */
const MAX_EMBEDDED = 16 * 1024 * 1024;

interface MessagePart {
  readonly role: Role;
  readonly make: MakeContent;
}

/** Reads until all that was read together is too much to be held: a prompt may embed 64 resources. */
function readWithinLimit(read: ContentParts['read']): ContentParts['read'] {
  let size = 0;
  return async (uri) => {
    const contents = await read(uri);
    for (const one of contents) size += 'text' in one ? one.text.length : one.blob.length;
    if (size <= MAX_EMBEDDED) return contents;
    throw new ShownError(`What this prompt embeds is more than ${MAX_EMBEDDED} characters. Embed less.`);
  };
}

function handlerOf(parts: readonly MessagePart[]): Handler {
  return async (input, given) => {
    const context = given as PromptContext;
    const read = readWithinLimit((uri) => context.readResource(uri));
    const rendering = { values: input as Readonly<Record<string, string>>, write: lengthLimit(), read };
    const messages: PromptMessage[] = [];
    for (const { role, make } of parts) {
      const content = await make(rendering);
      messages.push(...[content].flat().map((block) => ({ role, content: block })));
    }
    return messages;
  };
}
