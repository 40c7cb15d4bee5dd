import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { STYLE_SHEET, STYLE_SHEET_PATH } from './style-sheet.js';

function tokensOf(css: string): ReadonlyMap<string, string> {
  return new Map([...css.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]));
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const [light = '', dark = ''] = STYLE_SHEET.split('@media (prefers-color-scheme: dark)');
const schemes = [
  ['light', tokensOf(light)],
  ['dark', tokensOf(dark)],
] as const;

const TEXT = [
  ['ink', 'card'],
  ['ink', 'ground'],
  ['quiet', 'card'],
  ['quiet', 'ground'],
  ['accent', 'card'],
  ['accent-strong', 'card'],
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-strong'],
  ['ink', 'caution-ground'],
  ['ink', 'problem-ground'],
] as const;

const SHAPES = [
  ['control', 'card'],
  ['focus', 'card'],
  ['caution-line', 'caution-ground'],
  ['problem-line', 'problem-ground'],
  ['problem-line', 'card'],
  ['success-line', 'card'],
] as const;

describe('the style sheet', () => {
  it('has its own digest in its path', () => {
    const digest = createHash('sha256').update(STYLE_SHEET).digest('hex');
    const [, inPath = '-'] = /^\/assets\/sign-in\.([0-9a-f]{16})\.css$/.exec(STYLE_SHEET_PATH) ?? [];
    expect(digest.startsWith(inPath)).toBe(true);
  });

  it('loads nothing', () => {
    expect(STYLE_SHEET).not.toMatch(/url\(|@import|@font-face|image-set|https?:/);
  });

  it('follows the wish for dark, and for less motion', () => {
    expect(STYLE_SHEET).toContain('color-scheme: light dark');
    expect([...tokensOf(dark).keys()]).toEqual([...tokensOf(light).keys()]);
    const [still = ''] = STYLE_SHEET.split('@media (prefers-reduced-motion: no-preference)');
    expect(still).not.toMatch(/transition|animation/);
  });

  it('uses the colours that it declares, and no other', () => {
    const used = new Set([...STYLE_SHEET.matchAll(/var\(--([a-z-]+)\)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual([...tokensOf(light).keys()].sort());
  });

  it.each(schemes)('has contrast of AA in %s', (_, tokens) => {
    const lowest = (pairs: typeof TEXT | typeof SHAPES) =>
      Math.min(...pairs.map(([one, other]) => contrast(tokens.get(one)!, tokens.get(other)!)));
    expect(lowest(TEXT)).toBeGreaterThanOrEqual(4.5);
    expect(lowest(SHAPES)).toBeGreaterThanOrEqual(3);
  });
});
