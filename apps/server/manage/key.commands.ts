import { issueAdminKey } from '#admin/access/admin-keys.js';
import { ADMIN_SCOPES, type AdminScope } from '#admin/access/admin-scopes.js';
import type { Arguments, Command } from './command.js';
import { type ManageContext, ManageError, tenantOf } from './context.js';
import { nearest } from './nearest.js';
import { table } from './table.js';

const DAY_MS = 86_400_000;
const MAX_LISTED = 1_000;

/** Keys to the admin API. */
export const KEY_COMMANDS: Readonly<Record<string, Command>> = {
  'key issue': {
    usage: 'key issue NAME [--tenant SLUG] [--scope SCOPE]... [--days N]',
    meaning:
      "issue a key to the admin API; prints it this once. Without --tenant it is an operator's. Without --scope it may " +
      'do everything; scopes are such as sources:write (docs/admin-api.md)',
    options: { tenant: { type: 'string' }, scope: { type: 'string', multiple: true }, days: { type: 'string' } },
    words: [1, 1],
    run: issueKey,
  },
  'key list': {
    usage: 'key list',
    meaning: 'list the keys to the admin API that are good, never the keys themselves',
    words: [0, 0],
    run: async ({ admin }) => {
      const keys = await admin.rows.keys.list(undefined, { limit: MAX_LISTED, after: undefined });
      const rows = keys.map(({ name, tenant, accountId, scopes, expiresAt, id }) => [
        name,
        tenant ?? (accountId === null ? '(operator)' : '(signed in)'),
        scopes.join(' '),
        expiresAt?.toISOString() ?? 'without end',
        id,
      ]);
      return table(['name', 'tenant', 'scopes', 'good until', 'id'], rows);
    },
  },
  'key revoke': {
    usage: 'key revoke ID',
    meaning: 'stop a key to the admin API',
    words: [1, 1],
    run: async ({ admin }, { positionals: [id = ''] }) => {
      const key = await admin.rows.keys.find(id);
      if (!key || key.revokedAt) throw new ManageError('There is no such key. Those that there are: key list');
      await admin.rows.keys.revoke(id);
      return 'The key is revoked.';
    },
  },
};

async function issueKey(context: ManageContext, given: Arguments): Promise<string> {
  const slug = given.text('tenant');
  const days = given.text('days');
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days))
    throw new ManageError('--days must be a whole number from 1 to 9999. Without it the key never ends.');
  const { key } = await issueAdminKey(context.admin.rows.keys, {
    tenantId: slug === undefined ? null : (await tenantOf(context, slug)).id,
    accountId: null,
    name: given.positionals[0] ?? '',
    scopes: scopesIn(given),
    createdBy: 'manage',
    expiresAt: days === undefined ? null : new Date(Date.now() + Number(days) * DAY_MS),
  });
  return `${key}\nIt is shown this once.`;
}

function scopesIn(given: Arguments): readonly AdminScope[] {
  const scopes = given.list('scope').map((text) => {
    const scope = ADMIN_SCOPES.find((one) => one === text);
    if (scope) return scope;
    const meant = nearest(text, ADMIN_SCOPES);
    const hint = meant === undefined ? `Scopes: ${ADMIN_SCOPES.join(', ')}.` : `Did you mean "${meant}"?`;
    throw new ManageError(`"${text}" is no scope of the admin API. ${hint}`);
  });
  return scopes.length === 0 ? ['*'] : scopes;
}
