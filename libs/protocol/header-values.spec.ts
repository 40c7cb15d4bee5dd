import { describe, expect, it } from '@jest/globals';
import { decodeHeaderValue, mirrorsValue } from './header-values.js';

/** The examples of the specification, basic/transports/streamable-http, "Value Encoding". */
describe('a mirrored header value', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['=?base64?bGluZTEKbGluZTI=?=', 'line1\nline2'],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?base64??=', ''],
    ['SGVsbG8=', 'SGVsbG8='],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
  ])('%j stands for %j', (raw, text) => {
    expect(decodeHeaderValue(raw)).toBe(text);
  });

  it.each([
    '=?base64?SGVsbG8?=',
    '=?base64?SGVs!!!bG8=?=',
    '=?base64?/w==?=',
    'caf\u00e9',
    'a\u0000b',
    '=?base64?U_Vs?=',
  ])('%j stands for nothing', (raw) => {
    expect(decodeHeaderValue(raw)).toBeUndefined();
  });

  it('is compared with integers as a number, with all else as text', () => {
    expect(mirrorsValue('42.0', 42)).toBe(true);
    expect(mirrorsValue('4.2e1', 42)).toBe(true);
    expect(mirrorsValue('42x', 42)).toBe(false);
    expect(mirrorsValue('', 0)).toBe(false);
    expect(mirrorsValue('0x2a', 42)).toBe(false);
    expect(mirrorsValue('true', true)).toBe(true);
    expect(mirrorsValue('True', true)).toBe(false);
    expect(mirrorsValue('42.0', '42')).toBe(false);
    expect(mirrorsValue('[object Object]', {})).toBe(false);
  });
});
