import { type Adapter, type Client, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { formAnswerFields } from '#bindings/http/page-fields.js';
import { equalTexts } from '#protocol/equal-texts.js';
import { AccountRules } from './account-rules.js';
import { ClientAdapter } from './client.adapter.js';
import { providerConfiguration } from './configuration.js';
import { ENDPOINT_PATHS } from './endpoints.js';
import { GrantAdapter } from './grant.adapter.js';
import type { IssuerParts } from './provider-parts.js';
import { idHash, RecordAdapter } from './record.adapter.js';
import { nameScopes } from './name-scopes.js';
import { renderError } from './render-error.js';
import { answerStructuredTokens } from './structured-tokens.js';

/** One issuer: the provider, and the rules that its pages share with it. */
export interface Issuer {
  readonly provider: Provider;
  readonly rules: AccountRules;
}

/** Makes the authorization server of one issuer. */
export function openProvider(parts: IssuerParts): Issuer {
  const rules = new AccountRules(parts.issuer, parts.stores.accounts, parts.resources);
  const provider = new Provider(parts.issuer, {
    ...providerConfiguration(parts, rules),
    adapter: (kind: string) => adapterOf(kind, parts),
  });
  provider.proxy = true; // what the forwarded fields say is written by `pinOrigin` from the issuer
  provider.on('server_error', (_ctx: unknown, error: unknown) => parts.onFailure(error));
  compareHashedSecrets(provider);
  provider.silent = true; // what Koa would print is reported here
  provider.use((ctx, next) => handle(ctx as KoaContextWithOIDC, next, parts));
  return { provider, rules };
}

/** What stands around the provider's own handling of a request. */
async function handle(ctx: KoaContextWithOIDC, next: () => Promise<void>, parts: IssuerParts): Promise<void> {
  try {
    if (ctx.path.startsWith(ENDPOINT_PATHS.authorization)) ctx.set(formAnswerFields() as Record<string, string>);
    await next();
    await answerStructuredTokens(ctx, parts);
    await nameScopes(ctx, parts);
    refuseUnknownClient(ctx);
    refuseOtherPerson(ctx, parts);
  } catch (error) {
    parts.onFailure(error);
    ctx.status = 500;
    renderError(ctx, { error: 'server_error', error_description: 'Something went wrong on the server.' });
  }
}

/** RFC 6749 section 5.2; of a client whose document cannot be had, the provider says it with 400. */
function refuseUnknownClient(ctx: KoaContextWithOIDC): void {
  const { error } = (ctx.body ?? {}) as { error?: unknown };
  if (error === 'invalid_client' && !ctx.path.startsWith(ENDPOINT_PATHS.authorization)) ctx.status = 401;
}

/**
 * Somebody else signed in meanwhile, in another tab. The provider would sign them out by a form that posts itself; we say
 * so, and sign out nobody.
 */
function refuseOtherPerson(ctx: KoaContextWithOIDC, { issuer }: IssuerParts): void {
  if (typeof ctx.body !== 'string' || !ctx.body.includes(`action="${issuer}/session/end/confirm"`)) return;
  ctx.status = 400;
  renderError(ctx, {
    error: 'invalid_request',
    error_description: 'Somebody else has signed in in this browser meanwhile.',
  });
}

function adapterOf(kind: string, parts: IssuerParts): Adapter {
  const { issuer, resources, stores, onRevoked, recordKeys } = parts;
  switch (kind) {
    case 'Client':
      return new ClientAdapter(
        issuer,
        stores.clients,
        async (tenantId) => (await resources.byId(issuer, tenantId)) !== undefined,
      );
    case 'Grant': {
      const tenantIdOf = async (resource: string): Promise<string | null | undefined> =>
        (await resources.find(issuer, resource))?.tenantId;
      return new GrantAdapter({ issuer, tenantIdOf, onRevoked }, stores.grants);
    }
    default:
      return new RecordAdapter(issuer, kind, stores.records, recordKeys);
  }
}

/** The store has hashes of secrets, and the provider has what the store has. */
function compareHashedSecrets({ Client: Clients }: Provider): void {
  Object.defineProperty(Clients.prototype, 'compareClientSecret', { value: isSecretOf });
}

function isSecretOf(this: Client, actual: string): boolean {
  return equalTexts(idHash(actual), this.clientSecret ?? '');
}
