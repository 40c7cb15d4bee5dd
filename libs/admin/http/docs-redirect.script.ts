/**
 * Takes the answer to an authorization request (RFC 6749, section 4.1.2) to the page that asked, in place of Swagger UI's
 * script, which leaves the plus signs of the form encoding in what people read and goes on with the wrong `state`.
 */
export const DOCS_REDIRECT_SCRIPT = `const { state, auth, redirectUrl, callback, errCb } = opener.swaggerUIRedirectOauth2;
const answer = new URLSearchParams(location.search);
const code = answer.get('code');
if (answer.get('state') === state && code) {
  auth.code = code;
  callback({ auth, redirectUrl });
} else {
  const why = answer.get('error_description') ?? answer.get('error') ?? 'No code came back.';
  const message = answer.get('state') === state ? why : 'This answer belongs to another sign-in. Try again.';
  errCb({ authId: auth.name, source: 'auth', level: 'error', message });
}
close();
`;
