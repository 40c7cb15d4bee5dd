import { describe, expect, it } from '@jest/globals';
import { parseUriTemplate, UriTemplateError } from './uri-template.js';

const match = (template: string, uri: string) => parseUriTemplate(template).match(uri);

describe('a URI template', () => {
  it('tells its variables, each once, in order', () => {
    expect(parseUriTemplate('x{/b,a}{?a:3,c*}').variables).toEqual(['b', 'a', 'c']);
    expect(parseUriTemplate('x:y').variables).toEqual([]);
  });

  it.each([
    ['{', 'a "{" in "{" is not closed'],
    ['a{b', 'a "{" in "a{b" is not closed'],
    ['a}b', '"a}b" has a "}" that closes nothing'],
    ['{a{b}}', 'a "{" in "{a" is not closed'],
    ['{}', '"{}" lacks the name of a variable'],
    ['{a,}', '"{a,}" lacks the name of a variable'],
    ['{=a}', '"{=a}" has the operator "=", which is reserved'],
    ['{a:0}', '"a:0" in "{a:0}" is not a variable: use letters, digits and "_", then ":length" or "*"'],
    ['{a:10000}', '"a:10000" in "{a:10000}" is not a variable: use letters, digits and "_", then ":length" or "*"'],
    ['{a-b}', '"a-b" in "{a-b}" is not a variable: use letters, digits and "_", then ":length" or "*"'],
    ['{a..b}', '"a..b" in "{a..b}" is not a variable: use letters, digits and "_", then ":length" or "*"'],
    ['{a:3*}', '"a:3*" in "{a:3*}" is not a variable: use letters, digits and "_", then ":length" or "*"'],
    ['a b{c}', '"a b" has " ", which must be percent-encoded'],
    ['100%{c}', '"100%" has "%", which must be percent-encoded'],
    ['%E4{c}', 'the percent-encoding in "%E4" is not UTF-8'],
    ['x{/a*,b*}', '"{/a*,b*}" has two lists and nothing that tells where one ends'],
    ['{a}{b}{+c}{d}{e}', 'more than 4 expressions stand side by side: put something between them'],
    ['{a}/'.repeat(33), 'it has more than 32 expressions'],
    ['x'.repeat(2049), 'it is longer than 2048 characters'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseUriTemplate(text)).toThrow(new UriTemplateError(reason));
  });

  it('may have names with dots, and long ones', () => {
    expect(match('x:{last.name}', 'x:Doe')).toEqual({ 'last.name': 'Doe' });
  });
});

describe('expansion', () => {
  const expand = (template: string, value: string) => parseUriTemplate(template).expand({ v: value });

  it('encodes all but unreserved characters', () => {
    expect(expand('{v}', `a!'()*-._~ä"`)).toBe('a%21%27%28%29%2A-._~%C3%A4%22');
  });

  it('leaves reserved and encoded characters in reserved expansion', () => {
    expect(expand('{+v}', `/?#[]@!$&'()*+,;=:`)).toBe(`/?#[]@!$&'()*+,;=:`);
    expect(expand('{+v}', 'a%2Fb%E2%82%ACc%')).toBe('a%2Fb%E2%82%ACc%25');
    expect(expand('{+v}', 'a "<>\\^`{|}\u0085')).toBe('a%20%22%3C%3E%5C%5E%60%7B%7C%7D%C2%85');
  });

  it('cuts between characters', () => {
    expect(expand('{v:1}', '💚💚')).toBe('%F0%9F%92%9A');
  });

  it('replaces half of a surrogate pair', () => {
    expect(expand('{v}', 'a\ud83d')).toBe('a%EF%BF%BD');
  });

  it('encodes what a URI cannot hold in literals', () => {
    expect(expand('café/%7e{v}', 'x')).toBe('caf%C3%A9/%7ex');
  });

  it('takes own members for values only', () => {
    expect(parseUriTemplate('x{constructor}{/__proto__}').expand({})).toBe('x');
  });
});

describe('matching', () => {
  it('takes no slash for a simple variable, and slashes for a reserved one', () => {
    expect(match('notes://{id}', 'notes://a/b')).toBeUndefined();
    expect(match('notes://{+path}', 'notes://a/b')).toEqual({ path: 'a/b' });
    expect(match('notes://{+path}/{file}', 'notes://a/b/c')).toEqual({ path: 'a/b', file: 'c' });
  });

  it('wants the whole URI', () => {
    expect(match('notes://{id}/text', 'notes://1/text/more')).toBeUndefined();
    expect(match('notes://{id}', 'other://1')).toBeUndefined();
    expect(match('notes://all', 'notes://all')).toEqual({});
  });

  it('never takes nothing for a variable without an operator', () => {
    expect(match('notes://{id}', 'notes://')).toBeUndefined();
    expect(match('notes://{id}/x', 'notes:///x')).toBeUndefined();
    expect(match('notes://{+path}', 'notes://')).toBeUndefined();
  });

  it('leaves variables out that the URI does not have', () => {
    expect(match('notes:{/id}{?q,limit}', 'notes:')).toEqual({});
    expect(match('notes:{/id}{?q,limit}', 'notes:?limit=5')).toEqual({ limit: '5' });
    expect(match('notes:{/id}{?q,limit}', 'notes:/1?q=')).toEqual({ id: '1', q: '' });
  });

  it('decodes once', () => {
    expect(match('f:{a}', 'f:..%2F')).toEqual({ a: '../' });
    expect(match('f:{a}', 'f:%252F')).toEqual({ a: '%2F' });
    expect(match('f:{+a}', 'f:c%3A/x%20y%2Fz')).toEqual({ a: 'c:/x y/z' });
  });

  it.each(['f:%', 'f:%4', 'f:%zz', 'f:%E4', 'f:%C3%28', 'f:%ED%A0%80', 'f:a%FF'])(
    'refuses malformed percent-encoding: %s',
    (uri) => {
      expect(match('f:{a}', uri)).toBeUndefined();
      expect(match('f:{+a}', uri)).toBeUndefined();
    },
  );

  it('does not mind how characters are spelled', () => {
    expect(match('f:{a}/x', 'f:%c3%a4%2D/x')).toEqual({ a: 'ä-' });
    expect(match('f:{a}', 'f:ä b')).toEqual({ a: 'ä b' });
    expect(match('f:~{a}', 'f:%7e1')).toEqual({ a: '1' });
    expect(match('f:käse/{a}', 'f:k%C3%A4se/1')).toEqual({ a: '1' });
  });

  it('takes characters unencoded that cannot be mistaken', () => {
    expect(match('mail://{address}', 'mail://ada@example.com')).toEqual({ address: 'ada@example.com' });
    expect(match('t:{a}', "t:it's=(1)+2;*")).toEqual({ a: "it's=(1)+2;*" });
    expect(match('t://{type}:{id}', 't://a:b:c')).toBeUndefined();
    expect(match('t://{type}:{id}', 't://a:b%3Ac')).toEqual({ type: 'a', id: 'b:c' });
    expect(match('t:{a}{?q}', 't:x?q=a:b@c')).toEqual({ a: 'x', q: 'a:b@c' });
  });

  it('gives the earlier variable as much as it can have', () => {
    expect(match('f:{a}-{b}', 'f:x-y-z')).toEqual({ a: 'x-y', b: 'z' });
    expect(match('f:{a}{b}', 'f:xyz')).toEqual({ a: 'xy', b: 'z' });
    expect(match('f:{a:1}{b}', 'f:xyz')).toEqual({ a: 'x', b: 'yz' });
  });

  it('leaves something for what comes after, if it may be absent', () => {
    expect(match('f:{name}{.ext}', 'f:a.tar.gz')).toEqual({ name: 'a.tar', ext: 'gz' });
    expect(match('f:{name}{.ext}', 'f:readme')).toEqual({ name: 'readme' });
    expect(match('f:{+path}{?q}{#part}', 'f:/a/b?q=1#c')).toEqual({ path: '/a/b', q: '1', part: 'c' });
    expect(match('f:{+path}{#part}', 'f:/a/b?q=1')).toEqual({ path: '/a/b?q=1' });
    expect(match('f:{/a}{/b}{/c}', 'f:/x/y/z')).toEqual({ a: 'x', b: 'y', c: 'z' });
  });

  it('takes lists and pairs', () => {
    expect(match('f:{/path*}', 'f:/a/b')).toEqual({ path: ['a', 'b'] });
    expect(match('f:{/path*}', 'f:/a')).toEqual({ path: ['a'] });
    expect(match('f:{/first,rest*,last}', 'f:/a/b/c/d')).toEqual({ first: 'a', rest: ['b', 'c'], last: 'd' });
    expect(match('f:{?tag*,q}', 'f:?tag=a&tag=b&q=1')).toEqual({ tag: ['a', 'b'], q: '1' });
    expect(match('f:{?q,others*}', 'f:?q=1&a=2&b=3')).toEqual({ q: '1', others: { a: '2', b: '3' } });
    expect(match('f:{id}', 'f:1,2')).toEqual({ id: ['1', '2'] });
    expect(match('f:{id}', 'f:1%2C2')).toEqual({ id: '1,2' });
  });

  it('matches nothing that it would not expand to', () => {
    expect(match('f:{?q,limit}', 'f:?limit=1&q=2')).toBeUndefined();
    expect(match('f:{?q}', 'f:?q=1&q=2')).toBeUndefined();
    expect(match('f:{?q}', 'f:?q=1&other=2')).toBeUndefined();
    expect(match('f:{?others*}', 'f:?a=1&a=2')).toBeUndefined();
    expect(match('f:{?a*,b*}', 'f:?x=1&y=2')).toBeUndefined();
    expect(match('f:{a,b}', 'f:1,2,3')).toBeUndefined();
    expect(match('f:{a}/{a}', 'f:1/2')).toBeUndefined();
    expect(match('f:{a:1}/{a}', 'f:x/yz')).toBeUndefined();
    expect(match('f:{a}/{a}', 'f:1/1')).toEqual({ a: '1' });
  });

  it('is safe from names of prototypes', () => {
    const found = match('f:{?__proto__,others*}', 'f:?__proto__=1&constructor=2');
    expect(JSON.stringify(found)).toBe('{"__proto__":"1","others":{"constructor":"2"}}');
    expect(Object.prototype).not.toHaveProperty('others');
  });
});

describe('matching hostile URIs comes to an end', () => {
  const long = (text: string) => text.repeat(8192 / text.length).slice(0, 8192);

  it.each([
    ['{a}{b}{c}{d}', long('a')],
    ['{a}{b}{c}{d}!', long('a')],
    ['{+a}{+b}{+c}{+d}#', long('%41/')],
    ['{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}/', long('-')],
    [Array.from({ length: 32 }, (_, index) => `{v${index}}.`).join(''), long('a.')],
    ['{/a*}{/b*}{/c*}/end', long('/a')],
    ['{&a*}{&b*}x', long('&a=1')],
    ['{?a,b,c}x', `?${long('&a=1').slice(1)}`],
    ['{.a*}{.b*}{.c*}{.d*}!', long('.')],
    ['{a*,b}/', long('a,')],
    [`${'a'.repeat(2000)}{x}/`, long('a')],
  ])('%s', (template, uri) => {
    expect(uri).toHaveLength(8192);
    const started = process.cpuUsage();
    match(template, uri);
    const { user, system } = process.cpuUsage(started);
    // A matcher that tries the ways to divide the URI would take hours.
    expect(user + system).toBeLessThan(5_000_000);
  });

  it('and takes none that are longer than 8 KiB', () => {
    expect(match('{a}', 'a'.repeat(8192))).toHaveProperty('a');
    expect(match('{a}', 'a'.repeat(8193))).toBeUndefined();
  });
});
