import { describe, expect, it } from '@jest/globals';
import { parseTextTemplate } from './text-template.js';

const names = new Set(['city', 'days']);
const asIs = (value: string): string => value;

function render(text: string, values: Record<string, string>): string {
  return parseTextTemplate(text, names).render(values, asIs);
}

function fault(text: string): string {
  try {
    parseTextTemplate(text, names);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

describe('a text with placeholders', () => {
  it('has values put in as they are, whatever they hold', () => {
    const hostile = '{{days}} {{{days}}} {{#city}}<b>&"\'`=/</b>{{/city}} {{> x}} {{=<% %>=}} $& ${days}';
    expect(render('Go to {{ city }}!', { city: hostile, days: '3' })).toBe(`Go to ${hostile}!`);
  });

  it('leaves out what has no value', () => {
    expect(render('{{city}}, {{days}}', { city: 'Oslo' })).toBe('Oslo, ');
    expect(render('{{#days}}for {{.}} days{{/days}}{{^days}}for a while{{/days}}', {})).toBe('for a while');
    expect(render('{{#days}}for {{.}} days{{/days}}{{^days}}for a while{{/days}}', { days: '3' })).toBe('for 3 days');
    expect(render('{{#days}}long{{/days}}{{^days}}short{{/days}}', { days: '' })).toBe('short');
  });

  it('knows comments, and takes braces that are no tags', () => {
    expect(render('{ {"a":{"b":1} }{{! not shown }}', {})).toBe('{ {"a":{"b":1} }');
  });

  it('keeps to what is declared', () => {
    expect(fault('{{town}}')).toBe('"{{town}}" is not declared. There are: city, days.');
    expect(fault('{{city.length}}')).toContain('"{{city.length}}" is not declared');
    expect(fault('{{#city}}{{#days}}{{constructor}}{{/days}}{{/city}}')).toContain('"{{constructor}}" is not declared');
    expect(fault('{{.}}')).toContain('is not declared');
    expect(fault('{{^city}}{{.}}{{/city}}')).toContain('is not declared');
    expect(fault('{{__proto__}}')).toContain('is not declared');
  });

  it.each([
    ['{{> other}}', 'it includes another template.'],
    ['{{ >other}}', 'it includes another template.'],
    ['{{=<% %>=}}', 'it sets other delimiters.'],
    ['{{{city}}}', 'it has three braces.'],
    ['{{&city}}', 'it has a tag with "&".'],
    ['{{city', 'a "{{" is not closed.'],
    ['{{#city}}', 'the template is wrong: Unclosed section "city"'],
    ['{{/city}}', 'the template is wrong: Unopened section "city"'],
    [`${'{{#city}}'.repeat(9)}${'{{/city}}'.repeat(9)}`, 'sections stand too deep.'],
  ])('refuses %j', (text, problem) => {
    expect(fault(text)).toContain(problem);
  });

  it('refuses what is too long', () => {
    expect(fault(`{{${' '.repeat(600)}city}}`)).toContain('a placeholder is too long.');
    expect(fault('x'.repeat(65_537))).toContain('the text is too long.');
  });

  it('is parsed in time that does not explode with its spaces', () => {
    expect(fault(`{{city${' '.repeat(65_000)}`)).toContain('not closed');
    expect(parseTextTemplate(`{{${' '.repeat(500)}city}}`.repeat(120), names).render({}, asIs)).toBe('');
  });
});
