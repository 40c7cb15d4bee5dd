import { describe, expect, it } from '@jest/globals';
import { JsonTextError, parseJson } from './json-text.js';

describe('JSON text from outside', () => {
  it('never reaches an object prototype', () => {
    const value = parseJson(
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":{"__proto__":1}}',
      64,
    );
    const copy = Object.assign({}, value) as { admin?: boolean };
    expect(copy.admin).toBeUndefined();
    expect(JSON.stringify(value)).toBe('{"a":{}}');
  });

  it('is not fooled by escapes in the name', () => {
    const value = parseJson('{"\\u005f_proto__":{"admin":true}}', 64) as object;
    expect(Object.hasOwn(value, '__proto__')).toBe(false);
  });

  it('is refused past the depth, brackets in strings not counted', () => {
    expect(() => parseJson('['.repeat(65) + ']'.repeat(65), 64)).toThrow(JsonTextError);
    expect(parseJson('['.repeat(64) + ']'.repeat(64), 64)).toBeDefined();
    expect(parseJson(JSON.stringify('[\\"['.repeat(100)), 64)).toBe('[\\"['.repeat(100));
  });

  it('is refused when it is deep without end', () => {
    expect(() => parseJson('{"a":'.repeat(500_000), 64)).toThrow(JsonTextError);
  });

  it.each(['', '{', 'undefined', '{"a":1,}', "{'a':1}", '\u0000'])('is refused when it is %j', (text) => {
    expect(() => parseJson(text, 64)).toThrow(JsonTextError);
  });
});
