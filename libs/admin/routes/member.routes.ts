import { z } from 'zod';
import { makeUpPassword } from '#authorization/accounts/passwords.js';
import {
  type Account,
  LoginTakenError,
  type NewAccount,
  UnknownAccountError,
} from '#authorization/stores/account.store.js';
import type { Change } from '#events/change.js';
import { type AdminCaller, scopesIn } from '../access/admin-caller.js';
import { ADMIN_ROLES } from '#tenancy/admin-roles.js';
import { requireHeld } from '../access/require-held.js';
import type { AdminParts } from '../admin-parts.js';
import { requireMatch } from '../changes/change-terms.js';
import type { Done } from '../changes/changes.js';
import { type AdminRoute, tenantRoute, type TenantRequest } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { instant, text } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import { unlessBusy } from '../http/unless-busy.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRows } from '../stores/admin.store.js';
import type { MemberRow } from '../stores/member.rows.js';

const memberView = z
  .object({
    accountId: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    status: z.enum(['active', 'disabled']),
    role: z.string(),
    since: instant,
  })
  .meta({ id: 'Member' });

const role = text(64).min(1).describe('One of the roles of the tenant.');
const newMember = z.strictObject({
  email: text(320).regex(/^[^\s@]{1,64}@[^\s@]{1,255}$/, 'must be an e-mail address'),
  role: role.default('member'),
  name: text(200).min(1).optional().describe('For an account that has to be made; only operators can.'),
});
const changedMember = z.strictObject({ role });

const params = z.object({ slug: z.string() });
const one = z.object({ slug: z.string(), account: z.string().max(64) });

type NewMember = TenantRequest<unknown, unknown, z.output<typeof newMember>>;
type OneMember<B = unknown> = TenantRequest<z.output<typeof one>, unknown, B>;

/** People, and what they are in a tenant. */
export function memberRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store } = parts;
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/members',
      area: 'members',
      summary: 'List the members of the tenant',
      scope: 'members:read',
      params,
      isPaged: true,
      outcome: { status: 200, schema: listing(memberView) },
      run: async ({ tenant, page, list }) => {
        const rows = await store.rows.members.list(tenant.id, page);
        return list(
          rows,
          (row) => row.accountId,
          (row) => row,
        );
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/tenants/:slug/members',
      area: 'members',
      summary: 'Make somebody a member',
      description:
        'Who has no account yet gets one if an operator asks for it; its password is in the answer, this once.',
      scope: 'members:write',
      params,
      body: newMember,
      outcome: {
        status: 201,
        schema: memberView.extend({ password: z.string().optional() }).meta({ id: 'NewMember' }),
      },
      run: (request) => add(parts, request),
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/members/:account',
      area: 'members',
      summary: 'See one member',
      scope: 'members:read',
      params: one,
      outcome: { status: 200, schema: memberView },
      run: async ({ tenant, params: { account } }) => {
        const row = await find(store.rows, tenant.id, account);
        return { status: 200, body: row, etag: etagOf(row) };
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: '/tenants/:slug/members/:account',
      area: 'members',
      summary: 'Change the role of a member',
      scope: 'members:write',
      params: one,
      body: changedMember,
      outcome: { status: 200, schema: memberView },
      run: (request) => changeRole(parts, request),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug/members/:account',
      area: 'members',
      summary: 'End a membership and the tokens that it allowed',
      scope: 'members:write',
      params: one,
      outcome: { status: 204 },
      run: (request) => remove(parts, request),
    }),
  ];
}

async function add(parts: AdminParts, { caller, tenant, terms, body }: NewMember) {
  const newcomer = await newcomerOf(parts, caller, body);
  return parts.changes.tenant(terms, tenant, async (rows, locked): Promise<Done> => {
    requireRole(locked, body.role);
    requireMayGive(caller, locked, [body.role]);
    const known = await rows.accounts.findByLogin(body.email);
    const { id } = known ?? (await create(rows, newcomer));
    if (await rows.members.find(locked.id, id))
      throw new Problem('conflict', 'The person is a member already: change the role by PUT.');
    await setMembership(rows, locked.id, id, body.role);
    const row = await find(rows, locked.id, id);
    const headers = { location: `/admin/v1/tenants/${locked.slug}/members/${id}` };
    const shown = known ? row : { ...row, password: newcomer?.password };
    const answer = { status: 201, body: shown, etag: etagOf(row), headers };
    return { answer, action: 'member.add', target: id, detail: { role: body.role } };
  });
}

/** What would be the account of somebody who has none, for those who can make it: hashing takes from who signs in. */
async function newcomerOf(
  { passwords, store }: AdminParts,
  { everywhere }: AdminCaller,
  { email, name }: z.output<typeof newMember>,
) {
  if (!everywhere || (await store.rows.accounts.findByLogin(email))) return undefined;
  const password = makeUpPassword();
  return { login: email, name: name ?? email, password, passwordHash: await unlessBusy(passwords.hash(password)) };
}

/** A tenant's admin who could make accounts would know the password of somebody whom another tenant then lets in. */
async function create(rows: AdminRows, newcomer: NewAccount | undefined): Promise<Account> {
  if (!newcomer)
    throw new Problem('invalid_body', 'There is no account with this address; an operator can make one.', {
      errors: [{ pointer: '/email', detail: 'nobody signs in with this address' }],
    });
  const { login, name, passwordHash } = newcomer;
  try {
    return await rows.accounts.create({ login, name, passwordHash });
  } catch (error) {
    if (error instanceof LoginTakenError) throw new Problem('conflict', 'The account was made just now. Try again.');
    throw error;
  }
}

function changeRole(
  { changes }: AdminParts,
  { caller, tenant, terms, params: { account }, body }: OneMember<z.output<typeof changedMember>>,
) {
  return changes.tenant(terms, tenant, async (rows, locked): Promise<Done> => {
    const old = await find(rows, locked.id, account);
    requireMatch(terms, etagOf(old));
    requireRole(locked, body.role);
    requireMayGive(caller, locked, [old.role, body.role]);
    if (!ADMIN_ROLES.has(body.role)) await requireOthers(rows, caller, old, locked);
    await setMembership(rows, locked.id, account, body.role);
    const row = await find(rows, locked.id, account);
    const answer = { status: 200, body: row, etag: etagOf(row) };
    return { answer, action: 'member.update', target: account, detail: { from: old.role, role: body.role } };
  });
}

function remove({ changes }: AdminParts, { caller, tenant, terms, params: { account } }: OneMember) {
  return changes.tenant(terms, tenant, async (rows, locked): Promise<Done> => {
    const old = await find(rows, locked.id, account);
    requireMatch(terms, etagOf(old));
    requireMayGive(caller, locked, [old.role]);
    await requireOthers(rows, caller, old, locked);
    const revoked = await rows.accounts.removeMembership(locked.id, account);
    const announced = revoked.map((revocation): Change => ({ type: 'revocation', ...revocation }));
    return { answer: { status: 204 }, action: 'member.remove', target: account, changes: announced };
  });
}

async function setMembership(rows: AdminRows, tenantId: string, accountId: string, given: string): Promise<void> {
  try {
    await rows.accounts.setMembership(tenantId, accountId, given);
  } catch (error) {
    if (!(error instanceof UnknownAccountError)) throw error;
    throw new Problem('conflict', "It is an account of another tenant's own sign-in.");
  }
}

/** @throws Problem `not_found` */
async function find(rows: AdminRows, tenantId: string, accountId: string): Promise<MemberRow> {
  const row = await rows.members.find(tenantId, accountId);
  if (row) return row;
  throw new Problem('not_found', 'The tenant has no such member.');
}

function requireRole({ accessPolicy: { roles } }: AdminTenant, wanted: string): void {
  if (Object.hasOwn(roles, wanted)) return;
  throw new Problem('invalid_body', 'The tenant has no such role.', {
    errors: [{ pointer: '/role', detail: `must be one of: ${Object.keys(roles).sort().join(', ')}` }],
  });
}

/** Owners and admins may do everything here: only who may do so too makes them, or ends that. */
function requireMayGive(caller: AdminCaller, { id }: AdminTenant, roles: readonly string[]): void {
  if (roles.some((name) => ADMIN_ROLES.has(name))) requireHeld(['*'], scopesIn(caller, id) ?? []);
}

/** Who ends the last owner or admin ends everybody's way in; only an operator could open it again. @throws Problem `conflict` */
async function requireOthers(rows: AdminRows, { everywhere }: AdminCaller, old: MemberRow, { id }: AdminTenant) {
  if (everywhere || !ADMIN_ROLES.has(old.role)) return;
  const counts = await Promise.all([...ADMIN_ROLES].map((name) => rows.members.countOfRole(id, name)));
  if (counts.reduce((sum, count) => sum + count, 0) > 1) return;
  throw new Problem('conflict', 'It is the last owner or admin: make another first, or ask an operator.');
}
