import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';

const CLIENT_ID = 'causeway';

/** Who signs in there. */
export interface UpstreamPerson {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
}

/** An OpenID provider of an organisation, which signs in at once whoever `person` is. */
export interface UpstreamProviderServer extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  person: UpstreamPerson;
  /** Begins to serve, for a client with this redirect URI. */
  serve(redirectUri: string): Promise<void>;
  /** Lets nobody reach it any more. */
  stop(): Promise<void>;
}

export async function runUpstreamProvider(): Promise<UpstreamProviderServer> {
  const clientSecret = 'the secret of the platform at the provider';
  let handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  const server = createServer((request, response) => {
    if (handle) void handle(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const upstream: UpstreamProviderServer = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    person: { subject: 'ada', name: 'Ada', email: 'ada@corp.example' },
    serve: async (redirectUri) => {
      const provider = await openProvider(issuer, { clientSecret, redirectUri, personOf: () => upstream.person });
      const serve = provider.callback() as (request: IncomingMessage, response: ServerResponse) => Promise<void>;
      handle = (request, response) =>
        request.url?.startsWith('/at-once/') === true
          ? signIn(provider, upstream.person, { request, response })
          : serve(request, response);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return upstream;
}

interface ProviderSettings {
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly personOf: () => UpstreamPerson;
}

async function openProvider(issuer: string, settings: ProviderSettings): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const { clientSecret, redirectUri, personOf } = settings;
  return new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'upstream' }] },
    cookies: { keys: ['a key for cookies'] },
    adapter: MemoryAdapter,
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    clients: [{ client_id: CLIENT_ID, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/at-once/${uid}` },
    findAccount: (_ctx, accountId) => {
      const { name, email } = personOf();
      return { accountId, claims: () => ({ sub: accountId, name, email }) };
    },
  });
}

/** Keeps in memory what the provider remembers, by model and id. */
class MemoryAdapter implements Adapter {
  private readonly payloads = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.payloads.set(id, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.payloads.get(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.payloads.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const payload = this.payloads.get(id);
    if (payload) payload.consumed = Date.now();
  }

  async destroy(id: string): Promise<void> {
    this.payloads.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.payloads) if (payload.grantId === grantId) this.payloads.delete(id);
  }
}

async function signIn(
  provider: Provider,
  { subject: accountId }: UpstreamPerson,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const grant = new provider.Grant({ accountId, clientId: CLIENT_ID });
  grant.addOIDCScope('openid email profile');
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}
