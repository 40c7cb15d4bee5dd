import { labelOf } from '#authorization/stores/account.store.js';
import type { GrantRecord } from '#authorization/stores/grant.store.js';
import { isJsonObject } from '#protocol/json.js';
import type { Command } from './command.js';
import { type ManageContext, ManageError, tenantOf } from './context.js';
import { table } from './table.js';

/** What people allowed which client. */
export const GRANT_COMMANDS: Readonly<Record<string, Command>> = {
  'grant list': {
    usage: 'grant list SLUG',
    meaning: 'list what people allowed which client',
    words: [1, 1],
    run: async (context, { positionals: [slug] }) => {
      const grants = await context.grants.listOfTenant((await tenantOf(context, slug)).id);
      const people = await namesOf(
        grants,
        ({ accountId }) => accountId,
        (id) => personName(context, id),
      );
      const clients = await namesOf(
        grants,
        ({ clientId }) => clientId,
        (id) => clientName(context, id),
      );
      const rows = grants.map((grant) => [
        people.get(grant.accountId) ?? '',
        clients.get(grant.clientId) ?? '',
        scopesOf(grant),
        sinceOf(grant),
        grant.id,
      ]);
      return table(['person', 'client', 'scopes', 'since', 'id'], rows);
    },
  },
  'grant revoke': {
    usage: 'grant revoke SLUG ID',
    meaning: 'end a grant and its tokens; the client has to ask its person again',
    words: [2, 2],
    run: async (context, { positionals: [slug, id] }) => {
      const { id: tenantId } = await tenantOf(context, slug);
      const grant = (await context.grants.listOfTenant(tenantId)).find((one) => one.id === id);
      if (grant?.tenantId !== tenantId) throw new ManageError('The tenant has no such grant.');
      await context.grants.revoke(grant.issuer, grant.id);
      return 'The grant has ended.';
    },
  },
};

async function namesOf(
  grants: readonly GrantRecord[],
  idOf: (grant: GrantRecord) => string,
  nameOf: (id: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(grants.map(idOf))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const)));
}

async function personName({ accounts }: ManageContext, id: string): Promise<string> {
  const account = await accounts.find(id);
  return account ? labelOf(account) : id;
}

/** Clients that are named by a document's URL are not kept. */
async function clientName({ clients }: ManageContext, id: string): Promise<string> {
  const name = (await clients.find(id))?.metadata['client_name'];
  return typeof name === 'string' ? `${name} (${id})` : id;
}

/** The scopes of the tenant, as the provider wrote them. */
function scopesOf({ payload, resource }: GrantRecord): string {
  const { resources } = payload;
  const scopes = isJsonObject(resources) ? resources[resource] : undefined;
  return typeof scopes === 'string' ? scopes : '';
}

function sinceOf({ payload: { iat } }: GrantRecord): string {
  return typeof iat === 'number' ? new Date(iat * 1_000).toISOString() : '';
}
