import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

/** What a product makes of an access token that OAuth leaves open: members that it adds, and those that it leaves out. */
export interface TokenShape {
  readonly add: (token: { readonly resource: string; readonly issuer: string }) => Readonly<Record<string, unknown>>;
  readonly leaveOut?: readonly string[];
}

/** An authorization server of an organisation: another oidc-provider, whose tokens are shaped as some product's. */
export interface ExternalIssuer extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** @param shapes by resource; its tokens have all the scopes that are asked for */
export async function runExternalIssuer(
  shapes: ReadonlyMap<string, TokenShape>,
  scopes: string,
): Promise<ExternalIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['an-agent', 'the secret of an agent at the external issuer'];
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'external' }] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    cookies: { keys: ['a key for cookies'] },
    formats: {
      customizers: {
        jwt: (_ctx, token, { payload }) => {
          const resource = String(token.aud);
          const { add, leaveOut = [] } = shapes.get(resource) ?? { add: () => ({}) };
          for (const name of leaveOut) Reflect.deleteProperty(payload, name);
          Object.assign(payload, add({ resource, issuer }));
        },
      },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: scopes,
          audience: resource,
          accessTokenTTL: 300,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    scopes: scopes.split(' '),
    ttl: { ClientCredentials: 300 },
  });
  const serve = provider.callback() as (...pair: [IncomingMessage, ServerResponse]) => Promise<void>;
  server.on('request', (request, response) => void serve(request, response));
  return {
    issuer,
    clientId,
    clientSecret,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
