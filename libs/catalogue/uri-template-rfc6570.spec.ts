import { describe, expect, it } from '@jest/globals';
import { parseUriTemplate, type TemplateValues } from './uri-template.js';

/** RFC 6570 section 3.2. */
const VALUES: TemplateValues = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: {},
};

/**
 * A template, what it expands to, and what is found in that. Where nothing stands, those are the values that it was
 * expanded from; the others are those of which the URI does not tell more.
 */
type Example = readonly [template: string, uri: string, found?: TemplateValues | null];

const ROWS: Readonly<Record<string, readonly Example[]>> = {
  'section 1.2, level 1': [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
  ],
  'section 1.2, level 2': [
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['X{#var}', 'X#value'],
    ['X{#hello}', 'X#Hello%20World!'],
  ],
  'section 1.2, level 3': [
    ['map?{x,y}', 'map?1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.var}', 'X.value'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
  ],
  'section 1.2, level 4': [
    ['{var:3}', 'val', { var: 'val' }],
    ['{var:30}', 'value'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{keys}', 'semi,%3B,dot,.,comma,%2C', { keys: ['semi', ';', 'dot', '.', 'comma', ','] }],
    ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
    ['{+path:6}/here', '/foo/b/here', { path: '/foo/b' }],
    ['{+list}', 'red,green,blue', { list: 'red,green,blue' }],
    ['{+list*}', 'red,green,blue'],
    ['{+keys}', 'semi,;,dot,.,comma,,', { keys: 'semi,;,dot,.,comma,,' }],
    ['{+keys*}', 'semi=;,dot=.,comma=,'],
    ['{#path:6}/here', '#/foo/b/here', { path: '/foo/b' }],
    ['{#list}', '#red,green,blue', { list: 'red,green,blue' }],
    ['{#list*}', '#red,green,blue'],
    ['{#keys}', '#semi,;,dot,.,comma,,', { keys: 'semi,;,dot,.,comma,,' }],
    ['{#keys*}', '#semi=;,dot=.,comma=,'],
    ['X{.var:3}', 'X.val', { var: 'val' }],
    ['X{.list}', 'X.red,green,blue'],
    ['X{.list*}', 'X.red.green.blue'],
    ['X{.keys}', 'X.semi,%3B,dot,.,comma,%2C', { keys: ['semi', ';', 'dot', '.', 'comma', ','] }],
    ['X{.keys*}', 'X.semi=%3B.dot=..comma=%2C'],
    ['{/var:1,var}', '/v/value'],
    ['{/list}', '/red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo', { list: ['red', 'green', 'blue'], path: '/foo' }],
    ['{/keys}', '/semi,%3B,dot,.,comma,%2C', { keys: ['semi', ';', 'dot', '.', 'comma', ','] }],
    ['{/keys*}', '/semi=%3B/dot=./comma=%2C'],
    ['{;hello:5}', ';hello=Hello', { hello: 'Hello' }],
    ['{;list}', ';list=red,green,blue'],
    ['{;list*}', ';list=red;list=green;list=blue'],
    ['{;keys}', ';keys=semi,%3B,dot,.,comma,%2C', { keys: ['semi', ';', 'dot', '.', 'comma', ','] }],
    ['{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
    ['{?var:3}', '?var=val', { var: 'val' }],
    ['{?list}', '?list=red,green,blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?keys}', '?keys=semi,%3B,dot,.,comma,%2C', { keys: ['semi', ';', 'dot', '.', 'comma', ','] }],
    ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
    ['{&var:3}', '&var=val', { var: 'val' }],
    ['{&list}', '&list=red,green,blue'],
    ['{&list*}', '&list=red&list=green&list=blue'],
    ['{&keys}', '&keys=semi,%3B,dot,.,comma,%2C', { keys: ['semi', ';', 'dot', '.', 'comma', ','] }],
    ['{&keys*}', '&semi=%3B&dot=.&comma=%2C'],
  ],
  'section 2.4.1': [
    ['{var}', 'value'],
    ['{var:20}', 'value'],
    ['{var:3}', 'val', { var: 'val' }],
  ],
  'section 3.2.1, variable expansion': [
    ["'{count}'", "'one,two,three'"],
    ['{count}', 'one,two,three'],
    ['{count*}', 'one,two,three'],
    ['{/count}', '/one,two,three'],
    ['{/count*}', '/one/two/three'],
    ['{;count}', ';count=one,two,three'],
    ['{;count*}', ';count=one;count=two;count=three'],
    ['{?count}', '?count=one,two,three'],
    ['{?count*}', '?count=one&count=two&count=three'],
    ['{&count*}', '&count=one&count=two&count=three'],
  ],
  'section 3.2.2, simple string expansion': [
    ['{half}', '50%25'],
    // Neither an empty nor a missing variable leaves a trace; a required one is never empty.
    ['O{empty}X', 'OX', null],
    ['O{undef}X', 'OX', null],
    ['{x,y}', '1024,768'],
    ['?{x,empty}', '?1024,'],
    ['?{x,undef}', '?1024'],
    ['?{undef,y}', '?768', { undef: '768' }],
  ],
  'section 3.2.3, reserved expansion': [
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['O{+empty}X', 'OX', null],
    ['O{+undef}X', 'OX', null],
    ['up{+path}{var}/here', 'up/foo/barvalue/here', { path: '/foo/barvalu', var: 'e' }],
  ],
  'section 3.2.4, fragment expansion': [
    ['{#var}', '#value'],
    ['{#hello}', '#Hello%20World!'],
    ['{#half}', '#50%25'],
    ['foo{#empty}', 'foo#'],
    ['foo{#undef}', 'foo'],
  ],
  'section 3.2.5, label expansion': [
    ['{.who}', '.fred'],
    ['{.who,who}', '.fred.fred'],
    ['{.half,who}', '.50%25.fred'],
    ['www{.dom*}', 'www.example.com'],
    ['X{.empty}', 'X.'],
    ['X{.undef}', 'X'],
    ['X{.empty_keys}', 'X', {}],
    ['X{.empty_keys*}', 'X', {}],
  ],
  'section 3.2.6, path segment expansion': [
    ['{/who}', '/fred'],
    ['{/who,who}', '/fred/fred'],
    ['{/half,who}', '/50%25/fred'],
    ['{/who,dub}', '/fred/me%2Ftoo'],
    ['{/var,empty}', '/value/'],
    ['{/var,undef}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
  ],
  'section 3.2.7, path-style parameter expansion': [
    ['{;who}', ';who=fred'],
    ['{;half}', ';half=50%25'],
    ['{;empty}', ';empty'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{;v,bar,who}', ';v=6;who=fred'],
    ['{;x,y,undef}', ';x=1024;y=768'],
  ],
  'section 3.2.8, form-style query expansion': [
    ['{?who}', '?who=fred'],
    ['{?half}', '?half=50%25'],
    ['{?x,y,undef}', '?x=1024&y=768'],
  ],
  'section 3.2.9, form-style query continuation': [
    ['{&who}', '&who=fred'],
    ['{&half}', '&half=50%25'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,undef}', '&x=1024&y=768'],
  ],
};

describe.each(Object.entries(ROWS))('RFC 6570 %s', (_section, examples) => {
  it.each(examples.map(([text, uri, found]) => ({ text, uri, found })))('$text is $uri', ({ text, uri, found }) => {
    const template = parseUriTemplate(text);
    expect(template.expand(VALUES)).toBe(uri);
    const given = template.variables.filter((name) => name in VALUES).map((name) => [name, VALUES[name]]);
    const matched = template.match(uri);
    expect(matched).toEqual(found === null ? undefined : (found ?? Object.fromEntries(given)));
    if (matched !== undefined) expect(template.expand(matched)).toBe(uri);
  });
});
