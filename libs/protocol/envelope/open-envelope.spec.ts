import { describe, expect, it } from '@jest/globals';
import { ERRORS, isRejection } from '../errors.js';
import type { HeaderFields } from './mirrored-headers.js';
import { openEnvelope } from './open-envelope.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const FIELDS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

function message(more: object = {}): Record<string, unknown> {
  return { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META }, ...more };
}

function verdict(body: unknown, fields: HeaderFields | undefined = FIELDS): string {
  const opened = openEnvelope(body, fields);
  if (!isRejection(opened)) return opened.type;
  const { code, status } = ERRORS[opened.kind];
  return `${code} ${status}`;
}

describe('the envelope of a request', () => {
  it('opens', () => {
    expect(openEnvelope(message(), FIELDS)).toMatchObject({ type: 'request', id: 1, method: 'tools/list' });
  });

  it('opens without headers where the binding has none', () => {
    expect(openEnvelope(message(), undefined)).toMatchObject({ type: 'request' });
  });

  it.each([
    ['an array', [message()], '-32600 400'],
    ['a string', 'hello', '-32600 400'],
    ['null', null, '-32600 400'],
    ['no jsonrpc', { ...message(), jsonrpc: undefined }, '-32600 400'],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, '-32600 400'],
    ['a null id', message({ id: null }), '-32600 400'],
    ['a fractional id', message({ id: 1.5 }), '-32600 400'],
    ['an id past what a double holds', message({ id: 2 ** 60 }), '-32600 400'],
    ['params as an array', message({ params: [] }), '-32600 400'],
    ['no params', message({ params: undefined }), '-32602 400'],
    ['no _meta', message({ params: {} }), '-32602 400'],
    [
      'no capabilities',
      message({ params: { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': undefined } } }),
      '-32602 400',
    ],
    [
      'no version in _meta',
      message({ params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } } }),
      '-32602 400',
    ],
    [
      'a log level that does not exist',
      message({ params: { _meta: { ...META, 'io.modelcontextprotocol/logLevel': 'loud' } } }),
      '-32602 400',
    ],
    [
      'a progress token that is an object',
      message({ params: { _meta: { ...META, progressToken: {} } } }),
      '-32602 400',
    ],
  ])('is refused with %s', (_what, body, expected) => {
    expect(verdict(body)).toBe(expected);
  });

  it.each([
    ['is missing a version header', { 'mcp-method': 'tools/list' }, '-32020 400'],
    ['is missing a method header', { 'mcp-protocol-version': '2026-07-28' }, '-32020 400'],
    ['has another method in the header', { ...FIELDS, 'mcp-method': 'tools/call' }, '-32020 400'],
    ['has the method in other case', { ...FIELDS, 'mcp-method': 'TOOLS/LIST' }, '-32020 400'],
    ['has the method header twice', { ...FIELDS, 'mcp-method': ['tools/list', 'tools/list'] }, '-32020 400'],
  ])('is refused when it %s', (_what, fields, expected) => {
    expect(verdict(message(), fields)).toBe(expected);
  });

  it('is refused when header and body name different versions', () => {
    const body = message({ params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' } } });
    expect(verdict(body)).toBe('-32020 400');
  });

  it('is told which versions are served when it asks for another', () => {
    const version = '1999-01-01';
    const body = message({ params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': version } } });
    expect(openEnvelope(body, { ...FIELDS, 'mcp-protocol-version': version })).toMatchObject({
      kind: 'unsupported_version',
      data: { supported: ['2026-07-28'], requested: version },
    });
  });

  it('is told so when it opens like an older client, with or without a version header', () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {} },
    };
    const expected = {
      kind: 'unsupported_version',
      id: 0,
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    };
    expect(openEnvelope(initialize, {})).toMatchObject(expected);
    expect(openEnvelope(initialize, { 'mcp-protocol-version': '2025-11-25' })).toMatchObject(expected);
  });

  it('does not find methods of the legacy era, even in modern clothes', () => {
    expect(verdict(message({ method: 'initialize' }), { ...FIELDS, 'mcp-method': 'initialize' })).toBe('-32601 404');
    expect(verdict(message({ method: 'ping' }), { ...FIELDS, 'mcp-method': 'ping' })).toBe('-32601 404');
  });

  it.each([
    ['plainly', 'greet', 'greet', 'request'],
    ['in base64', 'grüße', '=?base64?Z3LDvMOfZQ==?=', 'request'],
    ['wrongly', 'greet', 'grunt', '-32020 400'],
    ['in broken base64', 'greet', '=?base64?Z3L?=', '-32020 400'],
    ['not at all', 'greet', undefined, '-32020 400'],
  ])('repeats its name in a header %s', (_how, name, header, expected) => {
    const body = message({ method: 'tools/call', params: { name, _meta: META } });
    expect(verdict(body, { ...FIELDS, 'mcp-method': 'tools/call', 'mcp-name': header })).toBe(expected);
  });

  it('keeps trace context that is well formed and drops what is not', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    const opened = (trace: unknown) =>
      openEnvelope(message({ params: { _meta: { ...META, traceparent: trace } } }), FIELDS);
    expect(opened(traceparent)).toMatchObject({ meta: { trace: { traceparent } } });
    expect(opened('nonsense')).toMatchObject({ meta: { trace: undefined } });
  });

  it('is a notification without an id', () => {
    expect(verdict({ jsonrpc: '2.0', method: 'notifications/anything' })).toBe('notification');
  });
});
