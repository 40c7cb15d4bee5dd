import { describe, expect, it } from '@jest/globals';
import { attributes, html } from './html.js';

describe('html', () => {
  it('escapes what could end a text or a quoted attribute', () => {
    expect(html`<p title="${`"'`}">${'</p><script>&'}</p>`.toString()).toBe(
      '<p title="&quot;&#39;">&lt;/p&gt;&lt;script&gt;&amp;</p>',
    );
  });

  it('passes through what it has made itself, and joins arrays', () => {
    const items = ['a', '<b>'].map((item) => html`<b>${item}</b>`);
    expect(html`<p>${items}</p>`.toString()).toBe('<p><b>a</b><b>&lt;b&gt;</b></p>');
  });

  it('escapes an array of strings one by one', () => {
    expect(html`${['<', ['>']]}`.toString()).toBe('&lt;&gt;');
  });

  it('writes nothing for undefined and false, but writes 0 and the empty string', () => {
    expect(html`[${undefined}${false}${0}${''}]`.toString()).toBe('[0]');
  });

  it('does not take the look of its own values for the real thing', () => {
    const lookalike: unknown = { text: '<script>', toString: () => '<script>' };
    expect(() => html`${lookalike as string}`).toThrow(TypeError);
  });
});

describe('attributes', () => {
  it('are quoted and escaped; a flag is its bare name', () => {
    expect(attributes({ id: 'a', value: '" onfocus="x', required: true }).toString()).toBe(
      'id="a" value="&quot; onfocus=&quot;x" required',
    );
  });

  it('that are absent or false are left out', () => {
    expect(attributes({ value: undefined, autofocus: false }).toString()).toBe('');
  });
});
