import type { ContentBlock, ResourceContents } from '#protocol/content.js';
import { templateAt } from '../templates/template-at.js';
import type { WriteValue } from '../templates/text-template.js';
import { uriTextAt } from '../templates/uri-text.js';
import type { ContentDefinition } from './prompt-definition.js';

/** What a message's content is made with when a prompt is asked for. */
export interface ContentParts {
  readonly values: Readonly<Record<string, string>>;
  readonly write: WriteValue;
  /** Reads a resource of the tenant with the rights of whoever asks. */
  readonly read: (uri: string) => Promise<readonly ResourceContents[]>;
}

/** Makes content: one block, or as many as a resource has contents that is read then. */
export type MakeContent = (parts: ContentParts) => ContentBlock | Promise<readonly ContentBlock[]>;

/** Where something stands in a definition, and what its placeholders may name. */
export interface ContentPlace {
  readonly pointer: string;
  readonly names: ReadonlySet<string>;
}

/** @throws DefinitionError */
export function compileContent(content: ContentDefinition, { pointer, names }: ContentPlace): MakeContent {
  switch (content.type) {
    case 'text': {
      const text = templateAt(`${pointer}/text`, content.text, names);
      return ({ values, write }) => ({ ...content, text: text.render(values, write) });
    }
    case 'image':
    case 'audio':
      return () => content;
    case 'resource_link': {
      const uri = uriTextAt(`${pointer}/uri`, content.uri, names);
      return ({ values, write }) => ({ ...content, uri: uri.render(values, write) });
    }
    case 'resource':
      return compileEmbedded(content, { pointer, names });
  }
}

type EmbeddedDefinition = Extract<ContentDefinition, { type: 'resource' }>;

function compileEmbedded(content: EmbeddedDefinition, { pointer, names }: ContentPlace): MakeContent {
  const { resource, read: reference, ...around } = content;
  if (resource) {
    const make = compileContents(resource, { pointer: `${pointer}/resource`, names });
    return (parts) => ({ ...around, resource: make(parts) });
  }
  const uri = uriTextAt(`${pointer}/read`, reference ?? '', names);
  return async ({ values, write, read }) => {
    const contents = await read(uri.render(values, write));
    return contents.map((found) => ({ ...around, resource: found }));
  };
}

type ContentsDefinition = NonNullable<EmbeddedDefinition['resource']>;

function compileContents(
  { uri: address, text: given, blob = '', ...rest }: ContentsDefinition,
  { pointer, names }: ContentPlace,
): (parts: ContentParts) => ResourceContents {
  const uri = uriTextAt(`${pointer}/uri`, address, names);
  const text = given === undefined ? undefined : templateAt(`${pointer}/text`, given, names);
  return ({ values, write }) => {
    const contents = { uri: uri.render(values, write), ...rest };
    return text ? { ...contents, text: text.render(values, write) } : { ...contents, blob };
  };
}
