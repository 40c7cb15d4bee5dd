import { z } from 'zod';
import { AdminKeys, issueAdminKey } from '../access/admin-keys.js';
import { ADMIN_SCOPES } from '../access/admin-scopes.js';
import type { AdminParts } from '../admin-parts.js';
import { type AdminRequest, type AdminRoute, callerRoute, publicRoute } from '../http/admin-route.js';
import type { Answer } from '../http/answer.js';
import { instant, text } from '../http/fields.js';
import { Problem } from '../http/problem.js';
import { unlessBusy } from '../http/unless-busy.js';

/** How long a key is good that was made by signing in, in milliseconds. */
const SIGNED_IN_MS = 12 * 3_600_000;

const credentials = z.strictObject({ email: text(320).min(1), password: z.string().min(1).max(256) });

const meView = z
  .object({
    actor: z.string(),
    name: z.string(),
    operator: z.boolean().describe('Whether every tenant is visible, and the platform can be changed.'),
    scopes: z
      .array(z.enum(ADMIN_SCOPES as readonly [string, ...string[]]))
      .describe('For the platform and all tenants.'),
    tenants: z.array(z.object({ slug: z.string(), scopes: z.array(z.string()) })),
  })
  .meta({ id: 'Me' });

const signedIn = z.object({ key: z.string(), expiresAt: instant }).meta({ id: 'SignedIn' });

/** Who calls, and how people get a key. */
export function sessionRoutes(parts: AdminParts): readonly AdminRoute[] {
  return [
    callerRoute({
      method: 'GET',
      path: '/me',
      area: 'session',
      summary: 'Say who calls, and what they may do where',
      permission: { to: 'callers' },
      outcome: { status: 200, schema: meView },
      run: async ({ caller: { actor, name, everywhere, tenants } }) => {
        const rows = await parts.store.rows.tenants.list([...tenants.keys()], { limit: 1_000, after: undefined });
        const held = rows.map(({ id, slug }) => ({ slug, scopes: tenants.get(id) ?? [] }));
        const body = { actor, name, operator: everywhere !== undefined, scopes: everywhere ?? [], tenants: held };
        return { status: 200, body };
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/login',
      area: 'session',
      summary: 'Sign in with e-mail and password for a key that is good for 12 hours',
      description:
        "An operator's key is for everything; others' are for the tenants where they are owner or admin, as long as they are.",
      body: credentials,
      isPlain: true,
      outcome: { status: 201, schema: signedIn },
      run: (request) => signIn(parts, request),
    }),
  ];
}

async function signIn(
  { signIn: passwords, store }: AdminParts,
  { body: { email, password }, address }: AdminRequest<unknown, unknown, z.output<typeof credentials>>,
): Promise<Answer> {
  const outcome = await unlessBusy(passwords.attempt({ login: email, password, address, isKnownBrowser: false }));
  if (outcome.type === 'throttled')
    throw new Problem('too_many_requests', 'Too many attempts failed.', {
      headers: { 'retry-after': String(outcome.retryAfterS) },
    });
  if (outcome.type === 'refused') throw new Problem('unauthorized', 'The e-mail address or the password is wrong.');
  const { id, name } = outcome.account;
  const expiresAt = new Date(Date.now() + SIGNED_IN_MS);
  const key = await store.transaction(async ({ keys }) => {
    const createdBy = `account:${id}`;
    const issued = await issueAdminKey(keys, {
      tenantId: null,
      accountId: id,
      name,
      scopes: ['*'],
      createdBy,
      expiresAt,
    });
    if ((await new AdminKeys(keys).verify(issued.key)) !== 'invalid') return issued.key;
    throw new Problem('insufficient_scope', 'You are neither an operator nor owner or admin of a tenant.');
  });
  return { status: 201, body: { key, expiresAt } };
}
