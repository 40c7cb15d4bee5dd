import { type ClientRequest, type MadeClient, makeTenantClient } from '#authorization/provider/make-tenant-client.js';
import { ClientFault } from '#authorization/provider/redirect-uris.js';
import type { Arguments, Command } from './command.js';
import { type ManageContext, ManageError, staticTokensOf, tenantOf } from './context.js';
import { table } from './table.js';

const DAY_MS = 86_400_000;

/** What machines and applications show to be let in. */
export const CREDENTIAL_COMMANDS: Readonly<Record<string, Command>> = {
  'token issue': {
    usage: 'token issue SLUG --name NAME [--scope "a b"] [--days N]',
    meaning:
      'issue a static token for a machine; prints it this once. Without --days (1 to 9999) it never ends. ' +
      'The tenant must take tokens: tenant access SLUG tokens',
    options: { name: { type: 'string' }, scope: { type: 'string' }, days: { type: 'string' } },
    words: [1, 1],
    run: issueToken,
  },
  'token list': {
    usage: 'token list SLUG',
    meaning: 'list the static tokens, never the tokens themselves',
    words: [1, 1],
    run: async (context, { positionals: [slug] }) => {
      const { id } = await tenantOf(context, slug);
      const tokens = await context.tokens.list(id);
      const rows = tokens.map(({ id: tokenId, name, scopes, revokedAt, expiresAt }) => {
        const until = revokedAt ? 'revoked' : (expiresAt?.toISOString() ?? 'without end');
        return [name, scopes.join(' '), until, tokenId];
      });
      return table(['name', 'scopes', 'good until', 'id'], rows);
    },
  },
  'token revoke': {
    usage: 'token revoke SLUG ID',
    meaning: 'stop a static token',
    words: [2, 2],
    run: async (context, { positionals: [slug, id = ''] }) => {
      const revoked = await staticTokensOf(context).revoke((await tenantOf(context, slug)).id, id);
      if (!revoked) throw new ManageError('The tenant has no such token.');
      return 'The token is revoked.';
    },
  },
  'client add': {
    usage: 'client add SLUG --name NAME [--redirect URI]... [--public] [--agent] [--scope "a b"]',
    meaning:
      'register an OAuth client of the tenant; prints its id and secret this once. --agent: for client credentials',
    options: {
      name: { type: 'string' },
      redirect: { type: 'string', multiple: true },
      public: { type: 'boolean' },
      agent: { type: 'boolean' },
      scope: { type: 'string' },
    },
    words: [1, 1],
    run: addClient,
  },
  'client list': {
    usage: 'client list SLUG',
    meaning: 'list the OAuth clients that were registered for the tenant',
    words: [1, 1],
    run: async (context, { positionals: [slug] }) => {
      const clients = await context.clients.listOfTenant((await tenantOf(context, slug)).id);
      const rows = clients.map(({ id, metadata: { client_name: name, scope }, createdAt }) => [
        textOf(name),
        textOf(scope) || 'all',
        createdAt.toISOString(),
        id,
      ]);
      return table(['name', 'scopes', 'since', 'id'], rows);
    },
  },
  'client remove': {
    usage: 'client remove SLUG ID',
    meaning: 'remove an OAuth client; its tokens end',
    words: [2, 2],
    run: async (context, { positionals: [slug, id = ''] }) => {
      const tenant = await tenantOf(context, slug);
      if ((await context.clients.find(id))?.tenantId !== tenant.id)
        throw new ManageError('The tenant has no such client.');
      await context.clients.remove(id);
      return 'The client is removed.';
    },
  },
};

async function issueToken(context: ManageContext, given: Arguments): Promise<string> {
  const { id: tenantId, access, slug } = await tenantOf(context, given.positionals[0]);
  const days = given.text('days');
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days))
    throw new ManageError('--days must be a whole number from 1 to 9999. Without it the token never ends.');
  const { token } = await staticTokensOf(context).issue({
    tenantId,
    name: given.required('name'),
    scopes: scopesIn(given) ?? [],
    expiresAt: days === undefined ? null : new Date(Date.now() + Number(days) * DAY_MS),
  });
  const note = access === 'tokens' ? '' : `\nThe tenant does not take static tokens yet: tenant access ${slug} tokens`;
  return `${token}\nIt is shown this once.${note}`;
}

async function addClient(context: ManageContext, given: Arguments): Promise<string> {
  const { id: tenantId } = await tenantOf(context, given.positionals[0]);
  const redirects = given.list('redirect');
  const isAgent = given.flag('agent');
  if (!isAgent && redirects.length === 0)
    throw new ManageError('--redirect is missing: where people are sent back to. For an agent without people: --agent');
  if (isAgent && given.flag('public')) throw new ManageError('An agent needs a secret: leave --public out.');
  const name = given.required('name');
  const client = makeClient({
    tenantId,
    name,
    redirectUris: redirects,
    isPublic: given.flag('public'),
    isAgent,
    scopes: scopesIn(given),
  });
  await context.clients.save(client.record);
  return `client_id      ${client.record.id}${client.secret === undefined ? '' : `\nclient_secret  ${client.secret}\nThe secret is shown this once.`}`;
}

/** @throws ManageError */
function makeClient(request: ClientRequest): MadeClient {
  try {
    return makeTenantClient(request);
  } catch (error) {
    throw error instanceof ClientFault ? new ManageError(error.message) : error;
  }
}

function scopesIn(given: Arguments): readonly string[] | undefined {
  return given.text('scope')?.split(/\s+/).filter(Boolean);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
