import { describe, expect, it } from '@jest/globals';
import { isolated, shownText } from './shown-text.js';

describe('shown text', () => {
  it('has no controls and no characters that change the direction', () => {
    expect(shownText('a\u0000\u0007\u001b\u202eb\u2066c\u2069\u200f\u061cd')).toBe('abcd');
  });

  it('has nothing invisible: joiners, fillers, tags, halves of characters', () => {
    expect(shownText('a\u200b\u200d\u2060\ufeff\u3164\u{e0041}\u00ad\ud800b')).toBe('a b');
    expect(shownText('\u200b\u3164\u2800 \u00a0\n')).toBe('');
  });

  it('is one line', () => {
    expect(shownText(' one\r\n two\u2028three\u3000four ')).toBe('one two three four');
  });

  it('does not paint over its neighbours', () => {
    expect(shownText(`a${'\u0301'.repeat(500)}b`)).toBe('a\u0301\u0301\u0301b');
  });

  it('keeps scripts and signs of the world', () => {
    for (const text of ['Zażółć', 'עוזר', 'مساعد', '助手', 'สวัสดี', 'नमस्ते', '🚀 v2']) expect(shownText(text)).toBe(text);
  });

  it('ends at its limit, counted in characters', () => {
    expect(shownText('x'.repeat(80), 80)).toBe('x'.repeat(80));
    expect(shownText('x'.repeat(81), 80)).toBe(`${'x'.repeat(79)}…`);
    expect(shownText('🚀'.repeat(81), 80)).toBe(`${'🚀'.repeat(79)}…`);
  });

  it('keeps its direction to itself', () => {
    expect(isolated('<\u202eb>').toString()).toBe('<bdi>&lt;b&gt;</bdi>');
  });
});
