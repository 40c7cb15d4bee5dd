import { errors } from 'oidc-provider';
import { parseJson } from '#protocol/json-text.js';
import { isJsonObject } from '#protocol/json.js';
import { ownGrantTypes } from '../provider/client-metadata.js';
import { prefillUserCode } from '../provider/device-flow.js';
import { wantScopesOf } from '../provider/name-scopes.js';
import type { ProtectedResources } from '../provider/protected-resources.js';
import type { AuthorizationStores } from '../provider/stores.js';
import { adaptAuthorization, adaptTokenRequest } from './adapt-parameters.js';
import { answerError, refuse } from './answers.js';
import { pathOf, queryOf, readParameters, replayBody } from './requests.js';
import type { AuthorizationRequest } from './serve-authorization.js';

export interface EndpointParts {
  readonly resources: ProtectedResources;
  readonly stores: AuthorizationStores;
}

const METADATA_PATH = '/.well-known/oauth-authorization-server';
const JSON_DEPTH = 16;
/** What Postgres takes in no text, as JSON has it: NUL, and halves of surrogate pairs, which alone are escaped. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
/** What fits into a URL that Node takes. */
const MAX_QUERY = 8_192;

const NOT_A_FORM = {
  status: 400,
  error: 'invalid_request',
  description: 'Send the parameters as Content-Type: application/x-www-form-urlencoded.',
} as const;

/** Hands a request to the provider, bent into what it takes. */
export async function serveEndpoint(parts: EndpointParts, arrived: AuthorizationRequest): Promise<void> {
  const { request, response, issuer } = arrived;
  if (!(await adapt(arrived, parts))) return;
  const handle = issuer.provider.callback() as (req: typeof request, res: typeof response) => Promise<void>;
  await handle(request, response);
}

/** False when the request was answered already. */
async function adapt(arrived: AuthorizationRequest, { resources, stores }: EndpointParts): Promise<boolean> {
  const { request, matched, origin, body } = arrived;
  const parts = { issuer: origin, resources, stores };
  switch (matched.route.name) {
    case 'metadata':
      return adaptMetadata(arrived, resources);
    case 'authorize':
      if (request.method === 'POST') return askAgain(arrived);
      return adaptParameters(arrived, (parameters) => adaptAuthorization(parameters, parts));
    case 'device_authorization':
      return adaptParameters(arrived, (parameters) => adaptAuthorization(parameters, parts));
    case 'token':
      return adaptParameters(arrived, (parameters) =>
        adaptTokenRequest(parameters, request.headers.authorization, parts),
      );
    case 'register':
      return adaptRegistration(arrived);
    case 'device':
      takeUserCode(arrived);
      if (request.method === 'POST') replayBody(request, body);
      return true;
    default:
      if (request.method === 'POST') replayBody(request, body);
      return true;
  }
}

/** The document is the issuer's; a tenant in the path, one that this issuer serves, has its scopes named in it. */
async function adaptMetadata(
  { request, response, matched, origin }: AuthorizationRequest,
  resources: ProtectedResources,
): Promise<boolean> {
  if (matched.slug !== undefined && !(await resources.bySlug(origin, matched.slug))) {
    answerError(response, {
      status: 404,
      error: 'invalid_request',
      description: 'There is no authorization server for this URL.',
    });
    return false;
  }
  if (matched.slug !== undefined) wantScopesOf(request, matched.slug);
  request.url = METADATA_PATH;
  return true;
}

/** Adapts the query of a GET, the form of a POST. */
async function adaptParameters(
  arrived: AuthorizationRequest,
  change: (parameters: URLSearchParams) => Promise<void>,
): Promise<boolean> {
  const { request, body } = arrived;
  const isForm = request.method === 'POST';
  const target = request.url ?? '';
  if (isForm && !isUrlEncoded(request)) {
    refuse(arrived, NOT_A_FORM);
    return false;
  }
  const parameters = readParameters(isForm ? body : queryOf(target));
  if (!parameters) {
    refuse(arrived, { status: 400, error: 'invalid_request', description: 'There are too many parameters.' });
    return false;
  }
  try {
    await change(parameters);
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    refuse(arrived, {
      status: error.statusCode,
      error: error.error,
      description: error.error_description ?? error.error,
    });
    return false;
  }
  if (isForm) replayBody(request, parameters.toString());
  else request.url = `${pathOf(target)}?${parameters.toString()}`;
  return true;
}

/**
 * An authorization request that was posted (OpenID Connect Core section 3.1.2.1) is asked for again with GET: the cookie
 * of the session does not come with a form of another site, but with the redirect.
 */
function askAgain(arrived: AuthorizationRequest): false {
  const { request, response, body } = arrived;
  if (!isUrlEncoded(request)) refuse(arrived, NOT_A_FORM);
  else if (body.length > MAX_QUERY) {
    refuse(arrived, { status: 400, error: 'invalid_request', description: 'The request is too long.' });
  } else {
    const query = new URLSearchParams(body).toString();
    response.writeHead(303, { location: `${pathOf(request.url ?? '')}?${query}`, 'cache-control': 'no-store' }).end();
  }
  return false;
}

function isUrlEncoded({ headers }: AuthorizationRequest['request']): boolean {
  return (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
}

/** A link with a code shows the form with the code in it; the person looks before sending it. */
function takeUserCode({ request }: AuthorizationRequest): void {
  const target = request.url ?? '';
  const userCode = readParameters(queryOf(target))?.get('user_code');
  if (typeof userCode === 'string') prefillUserCode(request, userCode.slice(0, 32));
  request.url = pathOf(target);
}

/** Client metadata that a client may not give itself is taken out (RFC 7591 section 2 lets a server do so). */
function adaptRegistration({ request, response, body }: AuthorizationRequest): boolean {
  try {
    const metadata = parseJson(body, JSON_DEPTH);
    if (!isJsonObject(metadata)) throw new errors.InvalidClientMetadata('send the client metadata as a JSON object');
    const { scope: _scope, client_id: _id, client_secret: _secret, ...own } = metadata;
    const adapted = JSON.stringify({ ...own, grant_types: ownGrantTypes(own['grant_types']) });
    if (UNSTORABLE.test(adapted)) {
      throw new errors.InvalidClientMetadata('a NUL character or half a character is in the client metadata');
    }
    replayBody(request, adapted);
    return true;
  } catch (error) {
    const described = error instanceof errors.InvalidClientMetadata ? error : undefined;
    answerError(response, {
      status: 400,
      error: described?.error ?? 'invalid_client_metadata',
      description: described?.error_description ?? 'send the client metadata as a JSON object',
    });
    return false;
  }
}
