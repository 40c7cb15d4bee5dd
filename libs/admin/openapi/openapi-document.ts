import { ADMIN_RESOURCE } from '../access/admin-resource.js';
import { ADMIN_AREAS } from '../access/admin-scopes.js';
import { ADMIN_PREFIX, type AdminRoute } from '../http/admin-route.js';
import { DEFINITION_SCHEMAS } from './definition-schemas.js';
import { JsonSchemas } from './json-schemas.js';
import { operationOf } from './operation.js';
import { dryRunView, problemView } from './shared-schemas.js';

const ABOUT =
  'Tenants, and what admins register for them at run time. To try it here, sign in: "Authorize", then "Authorize" below ' +
  '`oauth`. Programs begin with `POST /admin/v1/login`, or with a key of `POST /admin/v1/keys` or of ' +
  '`npm run -s manage -- key issue`, and send it as `Authorization: Bearer KEY`.';

/** Of the platform's own authorization server; the resource is this API's URL, without a slash at the end. */
const OAUTH_FLOW = {
  authorizationUrl: '/authorize',
  tokenUrl: '/token',
  refreshUrl: '/token',
  scopes: Object.fromEntries(ADMIN_RESOURCE.scopes.map(({ name, description = '' }) => [name, description])),
};

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly AdminRoute[], version: string): object {
  const schemas = new JsonSchemas();
  schemas.ofOutput(dryRunView);
  schemas.ofOutput(problemView);
  for (const definition of DEFINITION_SCHEMAS) schemas.ofInput(definition);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = ADMIN_PREFIX + route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Causeway admin API', version, description: ABOUT },
    tags: [
      { name: 'session', description: 'who calls, and what this API is' },
      ...Object.entries(ADMIN_AREAS).map(([name, description]) => ({ name, description })),
    ],
    paths,
    components: {
      schemas: schemas.named,
      responses: {
        Problem: {
          description: 'What is wrong.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          description: 'Sign in: a window opens, and asks what you allow.',
          flows: { authorizationCode: OAUTH_FLOW },
        },
        key: { type: 'http', scheme: 'bearer', description: 'In place of it: an admin key (`cwk_…`) or access token.' },
      },
    },
  };
}
