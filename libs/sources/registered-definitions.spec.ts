import { describe, expect, it } from '@jest/globals';
import { DefinitionError } from '#catalogue/definition-error.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import type { JsonObject } from '#protocol/json.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import type { SourceKind } from '#tenancy/tenant.store.js';
import { RegisteredSources } from './registered-sources.js';

const sources = new RegisteredSources({
  limits: DEFAULT_SCHEMA_LIMITS,
  secrets: { read: () => Promise.reject(new Error('Nothing is called while compiling.')) },
  outbound: new OutboundClient({ allowedNetworks: [] }),
  wrap: (handler) => handler,
});

/** Where a definition is at fault, and what is said of it. */
function faultOf(kind: SourceKind, definition: object): string {
  const source = { id: 'id', name: 'source', kind, definition: definition as JsonObject, version: 1 };
  try {
    sources.compile(source, { id: 'tenant', slug: 'tenant' });
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
  return 'none';
}

const text = (value: string) => [{ role: 'user', content: { type: 'text', text: value } }];
const url = 'https://api.example.org/x';

describe('the definition of a prompt', () => {
  it('needs messages alone', () => {
    expect(faultOf('prompt', { messages: text('Hello') })).toBe('none');
  });

  it.each<[object, RegExp]>([
    [{}, /^\/messages: /],
    [{ messages: [] }, /^\/messages: /],
    [{ messages: text('x'), template: 'x' }, /^\/template: .*is not known here. Known are: name, title/],
    [{ messages: text('{{city}}') }, /^\/messages\/0\/content\/text: "{{city}}" is not declared. There are none here/],
    [{ messages: text('{{> other}}') }, /^\/messages\/0\/content\/text: it includes another template/],
    [{ messages: text('{{=<% %>=}}') }, /^\/messages\/0\/content\/text: it sets other delimiters/],
    [{ messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }, /^\/messages\/0\/role: /],
    [{ messages: [{ role: 'user', content: { type: 'video', data: '' } }] }, /^\/messages\/0\/content\/type: /],
    [
      { messages: [{ role: 'user', content: { type: 'image', data: 'not base64!', mimeType: 'image/png' } }] },
      /^\/messages\/0\/content\/data: this is not base64/,
    ],
    [
      { messages: [{ role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'png' } }] },
      /^\/messages\/0\/content\/mimeType: this is no media type/,
    ],
    [
      { messages: [{ role: 'user', content: { type: 'resource', read: 'not a uri' } }] },
      /^\/messages\/0\/content\/read: it is not an absolute URI/,
    ],
    [
      { messages: [{ role: 'user', content: { type: 'resource', resource: { uri: 'x://y' } } }] },
      /^\/messages\/0\/content\/resource\/text: there must be either text or a blob\. Give one of the two; to embed/,
    ],
    [{ messages: [{ role: 'user', content: { type: 'resource' } }] }, /^\/messages\/0\/content\/resource: /],
    [{ messages: text('x'), arguments: [{ name: 'a b' }] }, /^\/arguments\/0\/name: /],
    [{ messages: text('x'), arguments: [{ name: 'hasOwnProperty' }] }, /^\/arguments\/0\/name: /],
    [{ messages: text('x'), arguments: [{ name: 'a' }, { name: 'a' }] }, /^\/arguments\/1\/name: another argument/],
    [
      { messages: text('x'), arguments: [{ name: 'a', completion: { tool: 't' } }] },
      /^\/arguments\/0\/completion\/argument: it is missing/,
    ],
    [
      { messages: text('x'), arguments: [{ name: 'a', completion: {} }] },
      /^\/arguments\/0\/completion\/tool: there must be either values or a tool/,
    ],
    [
      { messages: text('x'), arguments: [{ name: 'a', completion: { tool: 't', argument: 'q', expression: 'a[' } }] },
      /^\/arguments\/0\/completion\/expression: this is no JMESPath expression/,
    ],
    [{ messages: text('x'), name: 'a b' }, /^\/name: /],
    [{ messages: text('x'), scopes: ['a b'] }, /^\/scopes\/0: /],
    [{ messages: text('x'), icons: [{ src: 'javascript:x' }] }, /^\/icons\/0\/src: /],
    [{ messages: text('x'), _meta: { 'mcp.mcp/x': 1 } }, /^\/_meta\/mcp.mcp~1x: /],
    [{ messages: text('x'), timeoutMs: 0 }, /^\/timeoutMs: /],
  ])('%# is told where it is at fault', (definition, fault) => {
    expect(faultOf('prompt', definition)).toMatch(fault);
  });
});

describe('the definition of a resource', () => {
  it.each<[object]>([
    [{ uri: 'a://b', text: '' }],
    [{ uri: 'a://b', url, updates: { poll: { intervalSeconds: 10 } } }],
    [{ uriTemplate: 'a://{b}', text: '{{b}}', completions: { b: { values: ['c'] } } }],
    [{ uriTemplate: 'a://{b}{?c}', url: 'https://api.example.org/{b}{?c}' }],
  ])('%# works', (definition) => {
    expect(faultOf('resource', definition)).toBe('none');
  });

  it.each<[object, RegExp]>([
    [{ text: 'x' }, /^\/uri: there must be either a uri or a uriTemplate/],
    [{ uri: 'a://b', uriTemplate: 'a://{b}', text: 'x' }, /^\/uri: there must be either/],
    [{ uri: 'a://b' }, /^\/text: there must be one place for the contents. Give one of text, blob, url/],
    [{ uri: 'a://b', text: 'x', blob: '' }, /^\/text: there must be one place/],
    [{ uri: 'a b', text: 'x' }, /^\/uri: "a b" is not an absolute URI/],
    [{ uriTemplate: 'a://{b', text: 'x' }, /^\/uriTemplate: the URI template is wrong/],
    [{ uriTemplate: 'a://{b}', text: '{{c}}' }, /^\/text: "{{c}}" is not declared. There are: b/],
    [{ uriTemplate: 'a://{b}', blob: 'AAAA' }, /^\/blob: /],
    [
      { uriTemplate: 'a://{b}', text: 'x', completions: { c: { values: ['d'] } } },
      /^\/completions\/c: it is no variable/,
    ],
    [{ uri: 'a://b', text: 'x', completions: {} }, /^\/completions: only a uriTemplate/],
    [{ uri: 'a://b', text: 'x', headers: {} }, /^\/headers: it goes with a url alone/],
    [{ uri: 'a://b', text: 'x', updates: { poll: { intervalSeconds: 10 } } }, /^\/updates: only one uri with a url/],
    [{ uri: 'a://b', url, updates: { poll: { intervalSeconds: 9 } } }, /^\/updates\/poll\/intervalSeconds: /],
    [{ uri: 'a://b', url, updates: { push: {} } }, /^\/updates\/push: /],
    [{ uri: 'a://b', url: 'http://10.0.0.1/' }, /^\/url: /],
    [{ uri: 'a://b', url: 'https://169.254.169.254/latest' }, /^\/url: /],
    [{ uri: 'a://b', url: 'https://user:pass@example.org/' }, /^\/url: /],
    [{ uri: 'a://b', url: 'https://{host}/' }, /^\/url: /],
    [{ uri: 'a://b', url: 'https://example.org/{c}' }, /^\/url: the uriTemplate has no variable "c"/],
    [{ uriTemplate: 'a://b{?c}', url: 'https://example.org/{c}' }, /^\/url: the path needs "c"/],
    [{ uri: 'a://b', url, headers: { host: 'x' } }, /^\/headers\/host: /],
    [{ uri: 'a://b', url, headers: { authorization: 'x' } }, /^\/headers\/authorization: /],
    [{ uri: 'a://b', url, credentials: { type: 'bearer' } }, /^\/credentials/],
    [{ uri: 'a://b', url, limits: { timeoutMs: 1 } }, /^\/limits\/timeoutMs: /],
  ])('%# is told where it is at fault', (definition, fault) => {
    expect(faultOf('resource', definition)).toMatch(fault);
  });
});
