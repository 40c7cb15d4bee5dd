import { describe, expect, it } from '@jest/globals';
import { consentPage } from './consent.page.js';
import { deviceConfirmPage, deviceInputPage } from './device.pages.js';
import { messagePage } from './message.page.js';
import { noAccessPage } from './no-access.page.js';
import type { ClientView } from './page-models.js';
import { signInPage } from './sign-in.page.js';
import { STYLE_SHEET, STYLE_SHEET_PATH } from './style-sheet.js';

const TAG = /<\/?([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/g;
const VOID = new Set(['meta', 'link', 'input']);
const ELEMENTS = new Set(
  'html head meta title link body header main h1 h2 p div strong bdi code span form label input button a ul li dl dt dd'
    .split(' ')
    .concat([...VOID]),
);
const ATTRIBUTES = new Set(
  (
    'lang charset name content rel href class id role tabindex autofocus method action type value for required ' +
    'autocomplete autocapitalize spellcheck aria-describedby aria-invalid aria-labelledby'
  ).split(' '),
);

/** Every page in every shape, with `text` wherever a text goes in. */
function pagesWith(text: string): readonly (readonly [string, string])[] {
  const client = (identity: ClientView['identity'], loopbackOnly: boolean): ClientView => ({
    ...{ name: text, redirectHost: text, identity, loopbackOnly, identityHost: text },
  });
  const form = { tenantTitle: text, csrf: text, action: text, cancelAction: text, switchAction: text };
  const scopes = [
    { name: text, isNew: true },
    { name: text, description: text, isNew: false },
  ];
  const signIn = { ...form, client: client('document', false), email: text, problem: text, passwordSignIn: true };
  const upstream = { label: text, href: text };
  const account = { name: text };
  const consent = { ...form, client: client('dynamic', true), resource: text, account, withheld: scopes };
  const confirm = { ...form, userCode: text, client: client('registered', false) };
  return [
    ['sign-in by password', signInPage(signIn)],
    ['sign-in both ways', signInPage({ ...signIn, upstream, client: client('dynamic', true) })],
    ['sign-in elsewhere', signInPage({ ...signIn, upstream, passwordSignIn: false })],
    ['sign-in without a way', signInPage({ ...signIn, passwordSignIn: false })],
    ['consent', consentPage({ ...consent, scopes, keepsAccess: true })],
    ['consent without scopes', consentPage({ ...consent, scopes: [], withheld: [], keepsAccess: false })],
    ['no access', noAccessPage({ ...form, account, isTenant: true })],
    ['error', messagePage({ title: text, message: text, hint: text, reference: text, tone: 'error' })],
    ['success', messagePage({ title: text, message: text, tone: 'success' })],
    ['plain message', messagePage({ title: text, message: text, tone: 'plain' })],
    ['device code', deviceInputPage({ ...form, userCode: text, problem: text })],
    ['device confirmation', deviceConfirmPage(confirm)],
  ];
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

function tagsOf(page: string): readonly Tag[] {
  return [...page.replace('<!doctype html>', '').matchAll(TAG)].map(([whole, name = '', rest = '']) => ({
    name,
    closes: whole.startsWith('</'),
    attributes: new Map(
      [...rest.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  }));
}

function valuesOf(page: string, attribute: string): readonly string[] {
  return tagsOf(page).flatMap(({ attributes }) => attributes.get(attribute) ?? []);
}

/** What is open at the end, or the first tag that closes something else. */
function unbalanced(page: string): readonly string[] {
  const open: string[] = [];
  for (const { name, closes } of tagsOf(page)) {
    if (VOID.has(name)) continue;
    if (!closes) open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

const HOSTILE = [
  `"><script>alert(1)</script>`,
  `' onfocus='alert(1)' autofocus='`,
  '</style></title></main></body><img src=x onerror=alert(1)>',
  '" style="position:fixed" onclick="alert(1)',
  '<!-- ]]> &lt;script&gt; &#x3c;b&#x3e; ${1} {{1}}',
  '\u202e\u2066gpj.exe\u0000<b>\u2028',
];

describe.each(HOSTILE)('with %j in every text', (hostile) => {
  it.each(pagesWith(hostile))('%s has the same mark-up as with a plain one', (name, page) => {
    const shape = (text: string) => tagsOf(text).map((tag) => [tag.name, tag.closes, [...tag.attributes.keys()]]);
    const plain = new Map(pagesWith('plain')).get(name)!;
    expect(shape(page)).toEqual(shape(plain));
    expect(page.replace('<!doctype html>', '').replace(TAG, '')).not.toMatch(/[<>"']/);
  });
});

describe.each(pagesWith('plain'))('%s', (_, page) => {
  const tags = tagsOf(page);

  it('is well formed, of known elements and attributes', () => {
    expect(unbalanced(page)).toEqual([]);
    expect(tags.filter(({ name }) => !ELEMENTS.has(name))).toEqual([]);
    expect(tags.flatMap(({ attributes }) => [...attributes.keys()].filter((key) => !ATTRIBUTES.has(key)))).toEqual([]);
  });

  it('needs no script and no style of its own', () => {
    expect(page).not.toMatch(/<script|<style|<img|style=|\son[a-z]+=|javascript:/i);
  });

  it('has one h1, one main, a language, a title and a viewport', () => {
    for (const name of ['h1', 'main', 'header', 'title']) {
      expect(tags.filter((tag) => tag.name === name && !tag.closes)).toHaveLength(1);
    }
    expect(valuesOf(page, 'lang')).toEqual(['en-GB']);
    expect(page).toMatch(/<title>[^<]*plain|<title>[^<]*device/i);
    expect(page).toContain('content="width=device-width, initial-scale=1"');
    expect(page).toContain('<meta name="color-scheme" content="light dark" />');
  });

  it('leads only where it was told', () => {
    const [styleSheet, ...links] = valuesOf(page, 'href');
    expect(styleSheet).toBe(STYLE_SHEET_PATH);
    expect([...links, ...valuesOf(page, 'action')].filter((target) => target !== 'plain')).toEqual([]);
  });

  it('labels every field, and refers only to what is there', () => {
    const fields = tags.filter(({ name, attributes }) => name === 'input' && attributes.get('type') !== 'hidden');
    expect(valuesOf(page, 'for')).toEqual(fields.map(({ attributes }) => attributes.get('id')));
    const ids = valuesOf(page, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...valuesOf(page, 'aria-describedby')]));
    expect(ids).toEqual(expect.arrayContaining([...valuesOf(page, 'aria-labelledby')]));
  });

  it('sends every form by POST, with its token', () => {
    const forms = page.match(/<form[\s\S]*?<\/form>/g) ?? [];
    for (const form of forms) {
      expect(form).toContain('method="post"');
      expect(form).toMatch(/<input type="hidden" name="(?:csrf|xsrf)" value="plain" \/>/);
    }
  });

  it('uses only classes that have a style', () => {
    const classes = valuesOf(page, 'class').flatMap((value) => value.split(' '));
    const unstyled = classes.filter((name) => name !== 'field' && !STYLE_SHEET.includes(`.${name}`));
    expect(unstyled).toEqual([]);
  });
});
