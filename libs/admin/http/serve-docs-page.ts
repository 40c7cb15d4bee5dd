import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ADMIN_PREFIX } from './admin-route.js';
import { DOCS_PAGE_SCRIPT } from './docs-page.script.js';
import { DOCS_PAGE_STYLE } from './docs-page.style-sheet.js';
import { DOCS_REDIRECT_SCRIPT } from './docs-redirect.script.js';

const PATH = '/docs';
const BASE = `${ADMIN_PREFIX}${PATH}`;
const compress = promisify(gzip);

/** Nothing from elsewhere, and nothing framed; the page sets styles on its elements itself. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Causeway admin API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${BASE}/swagger-ui.css">
    <link rel="stylesheet" href="${BASE}/page.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="${BASE}/swagger-ui-bundle.js"></script>
    <script src="${BASE}/page.js"></script>
  </body>
</html>
`;

interface File {
  readonly type: string;
  readonly read: () => Promise<string>;
}

const FILES: Readonly<Record<string, File>> = {
  'page.js': { type: 'text/javascript', read: () => Promise.resolve(DOCS_PAGE_SCRIPT) },
  'page.css': { type: 'text/css', read: () => Promise.resolve(DOCS_PAGE_STYLE) },
  'swagger-ui-bundle.js': { type: 'text/javascript', read: () => swaggerFile('swagger-ui-bundle.js') },
  'oauth2-redirect.js': { type: 'text/javascript', read: () => Promise.resolve(DOCS_REDIRECT_SCRIPT) },
  'swagger-ui.css': { type: 'text/css', read: () => swaggerFile('swagger-ui.css') },
};

/** A page to read the OpenAPI document and to try it: Swagger UI, without anything from elsewhere. */
export function serveDocsPage(scope: FastifyInstance): void {
  const compressed = new Map<string, Promise<Buffer>>();
  const servePage = (path: string, page: () => string | Promise<string>): void => {
    scope.get(path, async (_request, reply) =>
      reply
        .headers(headersOf('text/html', 'no-cache'))
        .header('content-security-policy', POLICY)
        .send(await page()),
    );
  };
  servePage(PATH, () => PAGE);
  for (const path of ['/', `${PATH}/`]) scope.get(path, (_request, reply) => reply.redirect(BASE));
  servePage(`${PATH}/oauth2-redirect.html`, () => swaggerFile('oauth2-redirect.html'));
  for (const [name, { type, read }] of Object.entries(FILES)) {
    scope.get(`${PATH}/${name}`, async (request, reply) => {
      reply.headers(headersOf(type, 'public, max-age=3600')).header('vary', 'accept-encoding');
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(await read());
      const body = compressed.get(name) ?? read().then((text) => compress(text));
      compressed.set(name, body);
      body.catch(() => compressed.delete(name));
      return reply.header('content-encoding', 'gzip').send(await body);
    });
  }
}

function headersOf(type: string, cacheControl: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

function swaggerFile(name: string): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@fastify/swagger-ui');
  return readFile(join(dirname(entry), 'static', name), 'utf8');
}
