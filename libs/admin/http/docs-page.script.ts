import { DOCS_CLIENT } from '../access/admin-resource.js';
import { ADMIN_PREFIX } from './admin-route.js';

/**
 * What starts Swagger UI. It signs in at the address under which it was opened, which has to be the public one. Keys and
 * tokens are in the memory of the page alone, so a reload forgets them: kept in the browser's storage
 * (`persistAuthorization`) they would outlive the window, for whoever uses the computer next and for any script of the
 * origin.
 */
export const DOCS_PAGE_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();
// The field for a key would take the focus, and scroll sign-in, which stands before it, out of sight.
const still = (Input, { React }) => (given) => React.createElement(Input, { ...given, autoFocus: false });
const page = SwaggerUIBundle({
  url: '${ADMIN_PREFIX}/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [() => ({ wrapComponents: { Input: still } })],
  oauth2RedirectUrl: location.origin + '${DOCS_CLIENT.redirectPaths[0]}',
});
page.initOAuth({
  clientId: '${DOCS_CLIENT.id}',
  scopes: ['admin'],
  usePkceWithAuthorizationCodeGrant: true,
  additionalQueryStringParams: { resource: location.origin + '${ADMIN_PREFIX}' },
});
`;
