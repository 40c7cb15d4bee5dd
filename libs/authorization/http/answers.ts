import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pageFields } from '#bindings/http/page-fields.js';
import { messagePage } from '../pages/message.page.js';
import type { MessageModel } from '../pages/page-models.js';
import type { MatchedRoute } from './routes.js';

/** An OAuth error (RFC 6749 section 5.2). */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly fields?: OutgoingHttpHeaders;
}

export function answerError(response: ServerResponse, { status, error, description, fields }: OAuthError): void {
  const text = JSON.stringify({ error, error_description: description });
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      ...fields,
    })
    .end(text);
}

export interface PageOptions {
  readonly status?: number;
  /** See `pageFields`. */
  readonly leadsAway?: boolean;
  readonly fields?: OutgoingHttpHeaders;
}

export function answerPage(
  response: ServerResponse,
  page: string,
  { status = 200, leadsAway, fields }: PageOptions = {},
): void {
  response
    .writeHead(status, { ...pageFields(leadsAway), 'content-length': Buffer.byteLength(page), ...fields })
    .end(page);
}

export function answerMessage(
  response: ServerResponse,
  status: number,
  model: MessageModel,
  fields?: OutgoingHttpHeaders,
): void {
  answerPage(response, messagePage(model), { status, ...(fields && { fields }) });
}

export interface RefusedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly matched: MatchedRoute;
}

/** Says no: with a page where people look and a browser asks, to programs always as JSON. */
export function refuse({ request, response, matched }: RefusedRequest, error: OAuthError): void {
  const isSeen = matched.route.audience === 'people' && (request.headers.accept ?? '').includes('text/html');
  if (!isSeen) answerError(response, error);
  else answerMessage(response, error.status, messageOf(error), error.fields);
}

function messageOf({ description }: OAuthError): MessageModel {
  return { title: 'This did not work', message: description, tone: 'error' };
}
