import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DEFAULT_ACCESS_POLICY } from '#tenancy/access-policy.js';
import type { AdminCaller } from '../access/admin-caller.js';
import { permits } from '../access/admin-scopes.js';
import type { AdminParts } from '../admin-parts.js';
import type { CatalogueDone } from '../changes/catalogue-changes.js';
import { type ChangeTerms, requireMatch } from '../changes/change-terms.js';
import type { Done } from '../changes/changes.js';
import { type AdminRoute, callerRoute, tenantRoute } from '../http/admin-route.js';
import type { Answer } from '../http/answer.js';
import { jsonObject, slug, text, title } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import { GRACE_MS, POLICY_LENGTH } from '../limits.js';
import type { AdminTenant, TenantSettings } from '../stores/admin-tenant.rows.js';
import type { AdminRows } from '../stores/admin.store.js';
import { readPolicy } from './read-policy.js';
import { answerTenant, showTenant, tagOfTenant, tenantView } from './tenant-view.js';

const MAX_MODULES = 100;

const access = z.enum(['oauth', 'open', 'tokens']);
const accessPolicy = jsonObject(POLICY_LENGTH).describe(
  'As a whole; see docs/access.md. `upstreamProvider.clientSecret` is sealed, and comes back as `sealedSecret`.',
);
const instructions = text(20_000).nullable();

const newTenant = z.strictObject({
  slug,
  title,
  access: access.default('oauth'),
  accessPolicy: accessPolicy.optional(),
  instructions: instructions.optional(),
  modules: z.array(slug).max(MAX_MODULES).default([]).describe('Code modules to activate; see `GET /modules`.'),
});

const settings = z
  .strictObject({
    title: title.optional(),
    access: access.optional(),
    accessPolicy: accessPolicy.optional(),
    instructions: instructions.optional(),
  })
  .describe('What is left out stays.');

const params = z.object({ slug: z.string() });

/** Tenants: made, set, suspended, deleted. */
export function tenantRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store, urlOf } = parts;
  return [
    callerRoute({
      method: 'GET',
      path: '/tenants',
      area: 'tenants',
      summary: 'List the tenants that the caller may see',
      permission: { to: 'callers', scope: 'tenants:read' },
      isPaged: true,
      outcome: { status: 200, schema: listing(tenantView) },
      run: async ({ caller: { everywhere, tenants }, page, list }) => {
        const readable = [...tenants].filter(([, held]) => permits(held, 'tenants:read')).map(([id]) => id);
        const rows = await store.rows.tenants.list(everywhere ? undefined : readable, page);
        return list(
          rows,
          (row) => row.slug,
          (row) => showTenant(row, urlOf),
        );
      },
    }),
    callerRoute({
      method: 'POST',
      path: '/tenants',
      area: 'tenants',
      summary: 'Make a tenant',
      permission: { to: 'operators', scope: 'tenants:write' },
      body: newTenant,
      outcome: { status: 201, schema: tenantView },
      run: ({ body, terms }) => create(parts, body, terms),
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug',
      area: 'tenants',
      summary: 'See a tenant',
      scope: 'tenants:read',
      params,
      outcome: { status: 200, schema: tenantView },
      run: ({ tenant }) => Promise.resolve(answerTenant(tenant, urlOf)),
    }),
    tenantRoute({
      method: 'PATCH',
      path: '/tenants/:slug',
      area: 'tenants',
      summary: 'Change settings of a tenant',
      description: 'Members that are given replace, others stay; of `accessPolicy` too, where null takes a member out.',
      scope: 'tenants:write',
      params,
      body: settings,
      outcome: { status: 200, schema: tenantView },
      run: ({ tenant, body: { accessPolicy: policy, ...rest }, terms }) => {
        const settingsOf = ({ id: tenantId, accessPolicy: known }: AdminTenant): TenantSettings => ({
          ...rest,
          ...(policy && { accessPolicy: readPolicy(policy, { keys: parts.keys, tenantId, known }) }),
        });
        return update(parts, { tenant, terms, action: 'tenant.update', settings: settingsOf });
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug',
      area: 'tenants',
      summary: 'Suspend a tenant, and delete it in seven days',
      description: 'Until then it can be restored. After that nothing of it is left.',
      scope: 'tenants:write',
      params,
      outcome: { status: 200, schema: tenantView },
      run: ({ caller, tenant, terms }) =>
        update(parts, {
          tenant,
          terms,
          action: 'tenant.delete',
          settings: ({ deletesAt }) => ({
            ...suspension(caller),
            deletesAt: deletesAt ?? new Date(Date.now() + GRACE_MS),
          }),
        }),
    }),
    statusRoute(parts, 'suspend', 'Serve the tenant no more: everybody is answered 403', (_, caller) =>
      suspension(caller),
    ),
    statusRoute(parts, 'resume', 'Serve a suspended tenant again', (tenant, caller) => {
      if (tenant.deletesAt) throw new Problem('conflict', 'It is to be deleted: restore it instead.');
      return resumption(tenant, caller);
    }),
    statusRoute(parts, 'restore', 'Keep a tenant that was to be deleted, and serve it again', (tenant, caller) => {
      if (!tenant.deletesAt) throw new Problem('conflict', 'It is not to be deleted.');
      return { ...resumption(tenant, caller), deletesAt: null };
    }),
  ];
}

/** What an operator ends, a tenant's admin does not begin again. */
function suspension({ everywhere }: AdminCaller): TenantSettings {
  return { status: 'suspended', ...(everywhere && { held: true }) };
}

/** @throws Problem `operators_only` */
function resumption({ held }: AdminTenant, { everywhere }: AdminCaller): TenantSettings {
  if (held && !everywhere) throw new Problem('operators_only', 'An operator suspended it: ask them.');
  return { status: 'active', held: false };
}

function statusRoute(
  parts: AdminParts,
  verb: 'suspend' | 'resume' | 'restore',
  summary: string,
  settingsOf: (tenant: AdminTenant, caller: AdminCaller) => TenantSettings,
): AdminRoute {
  return tenantRoute({
    method: 'POST',
    path: `/tenants/:slug/${verb}`,
    area: 'tenants',
    summary,
    scope: 'tenants:write',
    params,
    outcome: { status: 200, schema: tenantView },
    run: ({ caller, tenant, terms }) => {
      const given = (locked: AdminTenant) => settingsOf(locked, caller);
      return update(parts, { tenant, terms, action: `tenant.${verb}`, settings: given });
    },
  });
}

interface Update {
  readonly tenant: AdminTenant;
  readonly terms: ChangeTerms;
  readonly action: string;
  readonly settings: (tenant: AdminTenant) => TenantSettings;
}

function update({ catalogues, urlOf }: AdminParts, { tenant, terms, action, settings: settingsOf }: Update) {
  return catalogues.make(terms, tenant, async (rows, locked): Promise<CatalogueDone> => {
    requireMatch(terms, tagOfTenant(locked));
    const set = settingsOf(locked);
    await rows.tenants.update(locked.id, set);
    return {
      answer: (_, updated) => answerTenant(updated, urlOf),
      action,
      detail: { members: Object.keys(set) },
    };
  });
}

async function create(
  { changes, catalogues, check, keys, urlOf, modules: known }: AdminParts,
  { modules, accessPolicy: policy, ...given }: z.output<typeof newTenant>,
  terms: ChangeTerms,
): Promise<Answer> {
  requireKnown(
    modules,
    known().map(({ name }) => name),
  );
  const id = randomUUID();
  const accessPolicySet = policy ? readPolicy(policy, { keys, tenantId: id }) : DEFAULT_ACCESS_POLICY;
  const answered = await changes.platform(terms, async (rows): Promise<Done> => {
    const made = await rows.tenants.create({ ...withoutNull(given), id, accessPolicy: accessPolicySet });
    if (!made) throw slugTaken(given.slug);
    for (const module of new Set(modules)) await rows.tenants.activate(id, module, {});
    if (!(await check.look(await rows.tenants.record(id), undefined)).catalogue)
      throw new Problem('invalid_definition', 'Two of its modules bring the same primitive: leave one out.');
    await noteCreation(rows, made, terms.actor);
    const headers = { location: `/admin/v1/tenants/${made.slug}` };
    const answer = { ...answerTenant(made, urlOf, 201), headers };
    const { slug: name, revision } = made;
    const changed = [{ type: 'catalogue' as const, tenantId: id, slug: name, revision }];
    return { answer, action: 'tenant.create', target: name, changes: changed };
  });
  await catalogues.serve(given.slug); // it may be remembered that there is none
  return answered;
}

async function noteCreation(rows: AdminRows, { id, slug: target, revision }: AdminTenant, actor: string) {
  await rows.history.append({ tenantId: id, actor, action: 'tenant.create', target, detail: {}, revision });
}

function withoutNull({
  instructions: given,
  ...rest
}: Pick<z.output<typeof newTenant>, 'slug' | 'title' | 'access' | 'instructions'>) {
  return typeof given === 'string' ? { ...rest, instructions: given } : rest;
}

function requireKnown(modules: readonly string[], known: readonly string[]): void {
  const at = modules.findIndex((module) => !known.includes(module));
  if (at === -1) return;
  throw new Problem('invalid_body', 'This platform has no such module.', {
    errors: [{ pointer: `/modules/${at}`, detail: `there is no such module here; there are: ${known.join(', ')}` }],
  });
}

function slugTaken(wanted: string): Problem {
  return new Problem('conflict', `A tenant with the slug "${wanted}" exists already.`, {
    errors: [{ pointer: '/slug', detail: 'is taken' }],
  });
}
