import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#protocol/json.js';
import { ExpressionError } from './bounded-interpreter.js';
import { compileExpression } from './expression.js';

const pick = (text: string, value: JsonValue, maxSize = 1_000_000): JsonValue =>
  compileExpression(text, '/e')(value, maxSize);

const many = { a: Array.from({ length: 200 }, (_, index) => index) };

describe('an expression', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['a.b', { a: { b: 1 } }, 1],
    ['a[?b > `1`].{id: b, all: length($.a)}', { a: [{ b: 1 }, { b: 2 }] }, [{ id: 2, all: 2 }]],
    ["join(', ', a[*].b)", { a: [{ b: 'x' }, { b: 'y' }] }, 'x, y'],
    ['sort_by(a, &b)[0].b', { a: [{ b: 2 }, { b: 1 }] }, 1],
    ['missing', { a: 1 }, null],
    ['toString', {}, null],
    ['constructor', {}, null],
    ['constructor.name', { constructor: { name: 'mine' } }, 'mine'],
  ])('%s picks from a value', (text, value, expected) => {
    expect(pick(text, value)).toEqual(expected);
  });

  it.each([
    ['that runs long', 'a[*].map(&length($.a[*].map(&length($.a), $.a)), $.a)', many],
    ['whose result is endless as text', Array.from({ length: 40 }, () => '[@,@]').join('|'), 1],
    ['that doubles a list over and over', Array.from({ length: 24 }, () => '[@,@][]').join('|'), [1]],
    ['that doubles a text over and over', `a${'|join(@,[@,@])'.repeat(20)}`, { a: 'xxxxxxxxxx' }],
  ])('%s is ended', (_what, text, value) => {
    expect(() => pick(text, value)).toThrow(ExpressionError);
  });

  it.each(['length(sort(@))', 'sort(@)[0]', '[?sort($) == `1`]', 'max(@) == sort(@)[0]'])(
    '%s is ended in the middle of a step that takes long',
    (text) => {
      const texts = Array.from({ length: 150_000 }, (_, index) => `${'x'.repeat(40)}${(index * 7919) % 99_991}`);
      expect(() => pick(text, texts, 10_000_000)).toThrow(new ExpressionError('takes too long'));
    },
    60_000,
  );

  it('that does not fit the value says so', () => {
    expect(() => pick('sum(a)', { a: 'x' })).toThrow(new ExpressionError('does not fit what the service answered'));
  });

  it.each(['let $x = a in $x', 'replace(a, b, c)', 'to_string(@)', `[${'@,'.repeat(300)}@]`])(
    '%.20s is refused',
    (text) => {
      expect(() => compileExpression(text, '/e')).toThrow(/^\/e: /);
    },
  );
});
