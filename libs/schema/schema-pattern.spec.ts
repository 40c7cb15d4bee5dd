import { describe, expect, it } from '@jest/globals';
import { isLinear } from './schema-pattern.js';

describe('patterns that take linear time for certain', () => {
  it.each([
    '',
    '^$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    'abc',
    '@',
    '^[a-z0-9-]+$',
    '^[A-Z]{1,64}$',
    '^prefix-.*',
    '^\\p{Lu}\\w*$',
    '^[(|*+]$',
  ])('%s', (pattern) => {
    expect(isLinear(pattern)).toBe(true);
  });
});

describe('patterns that might not', () => {
  it.each([
    '(a+)+$',
    '^(a|aa)+$',
    '^(a|a)(a|a)$',
    '\\w+@',
    '^a+b+$',
    '^(ab)*$',
    'a?a?aa',
    '^.*.*$',
    '^(?:a{1,9}){1,9}$',
    'x|^y*',
  ])('%s', (pattern) => {
    expect(isLinear(pattern)).toBe(false);
  });
});
