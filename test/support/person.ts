/** One answer of the platform to a browser. */
export interface Page {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
}

interface Form {
  readonly action: string;
  readonly fields: URLSearchParams;
}

const MAX_REDIRECTS = 10;

/** A person with a browser that keeps cookies, follows redirects on this platform and posts forms; nothing else runs. */
export class Person {
  /** By name and path, as browsers keep them. */
  private readonly cookies = new Map<string, { readonly pair: string; readonly path: string }>();

  constructor(
    readonly email: string,
    readonly password: string,
  ) {}

  /** Opens a URL; the answer is a page, or the URL of somewhere else where the browser was sent. */
  async open(url: string | URL, init: RequestInit = {}): Promise<Page | URL> {
    let next = new URL(url);
    const { origin } = next;
    let request: RequestInit = init;
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const response = await fetch(next, {
        ...request,
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: this.cookieFor(next), ...(request.headers as object) },
      });
      this.keep(response);
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null) return { status: response.status, url: next, text, headers: response.headers };
      next = new URL(location, next);
      if (next.origin !== origin) return next;
      request = {};
    }
    throw new Error(`The browser was redirected more than ${MAX_REDIRECTS} times, last to ${next.pathname}.`);
  }

  /** Signs in and allows what is asked for, from an authorization URL to the URL of the client's callback. */
  async authorize(url: string | URL, decision: 'allow' | 'deny' = 'allow'): Promise<URL> {
    let shown = await this.open(url);
    if (!(shown instanceof URL) && shown.text.includes('name="password"')) shown = await this.signIn(shown);
    if (!(shown instanceof URL)) shown = await this.decide(shown, decision);
    if (shown instanceof URL) return shown;
    throw new Error(`No way on from ${shown.url.pathname} (${shown.status}): ${textOf(shown.text)}`);
  }

  async signIn(page: Page, password = this.password): Promise<Page | URL> {
    return this.submit(page, '/sign-in', { email: this.email, password });
  }

  async decide(page: Page, decision: 'allow' | 'deny'): Promise<Page | URL> {
    return this.submit(page, '/consent', { decision });
  }

  /** Posts the form whose action ends so, with its hidden fields and these. */
  async submit(page: Page, action: string, values: Readonly<Record<string, string>> = {}): Promise<Page | URL> {
    return this.open(...requestOf(page, action, values));
  }

  /** The same in a browser that is slow: it has not followed yet to where it was sent. */
  async submitOnly(page: Page, action: string, values: Readonly<Record<string, string>>): Promise<URL> {
    const [url, init] = requestOf(page, action, values);
    const headers = { accept: 'text/html', cookie: this.cookieFor(url), ...(init.headers as object) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    this.keep(response);
    return new URL(response.headers.get('location') ?? '', url);
  }

  cookieFor(url: URL): string {
    return [...this.cookies.values()]
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ pair }) => pair)
      .join('; ');
  }

  private keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */);
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const isGone =
        value === '' || attributes.some((attribute) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(attribute));
      if (isGone) this.cookies.delete(`${name} ${path}`);
      else this.cookies.set(`${name} ${path}`, { pair, path });
    }
  }
}

function requestOf(page: Page, action: string, values: Readonly<Record<string, string>>): [URL, RequestInit] {
  const form = formsIn(page.text).find((candidate) => candidate.action.endsWith(action));
  if (!form) throw new Error(`No form for ${action} on ${page.url.pathname} (${page.status}): ${textOf(page.text)}`);
  for (const [name, value] of Object.entries(values)) form.fields.set(name, value);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: page.url.origin };
  return [new URL(form.action, page.url), { method: 'POST', headers, body: form.fields.toString() }];
}

/** What a page says, for messages of failed tests. */
export function textOf(page: string): string {
  return page
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 600);
}

function formsIn(page: string): readonly Form[] {
  return [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', content = '']) => ({
    action: unescape(attributeOf(attributes, 'action')),
    fields: new URLSearchParams(
      [...content.matchAll(/<input\b([^>]*)>/g)]
        .map(([, input = '']): [string, string] => [attributeOf(input, 'name'), unescape(attributeOf(input, 'value'))])
        .filter(([name]) => name !== ''),
    ),
  }));
}

function attributeOf(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
