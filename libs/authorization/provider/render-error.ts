import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { messagePage } from '../pages/message.page.js';
import { showPage } from './show-page.js';

const TITLES: Readonly<Record<string, string>> = {
  access_denied: 'Access was denied',
  invalid_client: 'This application is not known here',
  invalid_redirect_uri: 'The application asked for an answer at a place that it did not register',
  invalid_request: 'The application sent a request that cannot be used',
  invalid_target: 'The application did not say which MCP server it wants',
  server_error: 'Something went wrong on the server',
};

/** In place of the provider's, which are for those who make applications. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalid_client: 'It never registered here, or its registration is gone.',
};

/** An error where a person is looking, and nowhere to send them: a page. Programs get JSON. */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const { error, error_description: description } = out;
  if (ctx.accepts('json', 'html') !== 'html') {
    ctx.body = { error, ...(description !== undefined && { error_description: description }) };
    return;
  }
  const page = messagePage({
    title: TITLES[error] ?? 'This did not work',
    message: MESSAGES[error] ?? description ?? 'The request could not be completed.',
    hint: 'Go back to the application and connect again. If this comes back, tell whoever makes it what you see here.',
    reference: error,
    tone: 'error',
  });
  showPage(ctx, page);
}
