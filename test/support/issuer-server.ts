import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nowS, TokenIssuer } from './token-issuer.js';

/** An authorization server that is not ours, as far as a resource server sees it: metadata, keys, tokens. */
export interface IssuerServer extends AsyncDisposable {
  readonly issuer: string;
  /** Signs a token of it, good for five minutes unless the claims say otherwise. */
  token(claims: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function runIssuer(): Promise<IssuerServer> {
  const signer = await TokenIssuer.create('first', 'RS256');
  const server = createServer((request, response) => {
    const documents: Readonly<Record<string, object>> = {
      '/realms/acme/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/realms/acme/keys': { keys: [signer.jwk] },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/acme`;
  return {
    issuer,
    token: (claims) => signer.sign({ iss: issuer, sub: 'ada', azp: 'host', exp: nowS() + 300, ...claims }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
