import { z } from 'zod';
import type { AccessPolicy } from '#tenancy/access-policy.js';
import { readNewAccessPolicy } from '#tenancy/access-policy.js';
import type { AdminParts } from '../admin-parts.js';
import type { CatalogueDone } from '../changes/catalogue-changes.js';
import { type ChangeTerms, requireMatch } from '../changes/change-terms.js';
import { type AdminRoute, tenantRoute } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { text } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem, type ProblemError } from '../http/problem.js';
import { bodyErrors } from '../http/read-values.js';
import { POLICY_LENGTH } from '../limits.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRows } from '../stores/admin.store.js';

const named = text(128).min(1);
const scopeNames = z.array(named).max(500);

const scopeView = z
  .object({ name: z.string(), description: z.string().optional(), implies: z.array(z.string()) })
  .meta({ id: 'Scope' });
const roleView = z
  .object({ name: z.string(), scopes: z.array(z.string()).describe('What it may grant; `*` stands for every scope.') })
  .meta({ id: 'Role' });

/** One kind of things that are parts of the access policy. */
interface Part<B> {
  readonly path: 'scopes' | 'roles';
  readonly word: 'scope' | 'role';
  readonly body: z.ZodType<B>;
  readonly view: z.ZodType;
  readonly all: (policy: AccessPolicy) => readonly PolicyPart[];
  readonly set: (policy: AccessPolicy, name: string, value: B | undefined) => AccessPolicy;
  /** Whether anything needs it. @throws Problem `conflict` */
  readonly requireUnused: (rows: AdminRows, tenantId: string, name: string) => Promise<void>;
}

interface PolicyPart {
  readonly name: string;
}

const SCOPES: Part<{ description?: string | undefined; implies: string[] }> = {
  path: 'scopes',
  word: 'scope',
  body: z.strictObject({
    description: text(500).optional().describe('What people read when they are asked for it.'),
    implies: scopeNames.default([]).describe('Scopes that come with it.'),
  }),
  view: scopeView,
  all: ({ scopes }) => scopes,
  set: (policy, name, value) => {
    const others = policy.scopes.filter((scope) => scope.name !== name);
    const { description, implies = [] } = value ?? {};
    const scope = { name, ...(description !== undefined && { description }), implies };
    return { ...policy, scopes: value ? [...others, scope] : others };
  },
  requireUnused: () => Promise.resolve(),
};

const ROLES: Part<{ scopes: string[] }> = {
  path: 'roles',
  word: 'role',
  body: z.strictObject({ scopes: scopeNames.describe('What it may grant; `*` stands for every scope.') }),
  view: roleView,
  all: ({ roles }) => Object.entries(roles).map(([name, scopes]) => ({ name, scopes })),
  set: (policy, name, value) => {
    const others = Object.entries(policy.roles).filter(([role]) => role !== name);
    return { ...policy, roles: Object.fromEntries(value ? [...others, [name, value.scopes]] : others) };
  },
  requireUnused: async ({ members }, tenantId, name) => {
    const count = await members.countOfRole(tenantId, name);
    if (count > 0) throw new Problem('conflict', `${count} members have this role: give them another first.`);
  },
};

/** Scopes with their descriptions and implications, and what each role may grant. */
export function policyRoutes(parts: AdminParts): readonly AdminRoute[] {
  return [...partRoutes(parts, SCOPES), ...partRoutes(parts, ROLES)];
}

function partRoutes<B>(parts: AdminParts, part: Part<B>): readonly AdminRoute[] {
  const { path, word, body, view } = part;
  const params = z.object({ slug: z.string(), name: named });
  const shared = { area: 'tenants' as const, params };
  return [
    tenantRoute({
      ...shared,
      method: 'GET',
      path: `/tenants/:slug/${path}`,
      summary: `List the ${word}s that are declared for the tenant`,
      scope: 'tenants:read',
      params: z.object({ slug: z.string() }),
      outcome: { status: 200, schema: listing(view) },
      run: ({ tenant }) => {
        const items = [...part.all(tenant.accessPolicy)].sort((a, b) => (a.name < b.name ? -1 : 1));
        return Promise.resolve({ status: 200, body: { items, next: null } });
      },
    }),
    tenantRoute({
      ...shared,
      method: 'GET',
      path: `/tenants/:slug/${path}/:name`,
      summary: `See one ${word}`,
      scope: 'tenants:read',
      outcome: { status: 200, schema: view },
      run: ({ tenant, params: { name } }) => {
        const found = find(part, tenant, name);
        if (!found) throw missing(word);
        return Promise.resolve({ status: 200, body: found, etag: etagOf(found) });
      },
    }),
    tenantRoute({
      ...shared,
      method: 'PUT',
      path: `/tenants/:slug/${path}/:name`,
      summary: `Declare a ${word}, or change it`,
      scope: 'tenants:write',
      makes: true,
      body,
      outcome: { status: 200, schema: view },
      run: ({ tenant, terms, params: { name }, body: value }) => set(parts, part, { tenant, terms, name, value }),
    }),
    tenantRoute({
      ...shared,
      method: 'DELETE',
      path: `/tenants/:slug/${path}/:name`,
      summary: `Take a ${word} back`,
      scope: 'tenants:write',
      outcome: { status: 204 },
      run: ({ tenant, terms, params: { name } }) => set(parts, part, { tenant, terms, name, value: undefined }),
    }),
  ];
}

interface Setting<B> {
  readonly tenant: AdminTenant;
  readonly terms: ChangeTerms;
  readonly name: string;
  /** Undefined to take it back. */
  readonly value: B | undefined;
}

function set<B>({ catalogues }: AdminParts, part: Part<B>, { tenant, terms, name, value }: Setting<B>) {
  return catalogues.make(terms, tenant, async (rows, locked): Promise<CatalogueDone> => {
    const old = find(part, locked, name);
    if (!old && value === undefined) throw missing(part.word);
    requireMatch(terms, old && etagOf(old));
    if (value === undefined) await part.requireUnused(rows, locked.id, name);
    const accessPolicy = checked(part.set(locked.accessPolicy, name, value));
    const updated = await rows.tenants.update(locked.id, { accessPolicy });
    const made = find(part, updated, name);
    if (value !== undefined && !made) throw unfit([{ pointer: '', detail: `no ${part.word} can have this name` }]);
    return {
      answer: () => (made ? { status: old ? 200 : 201, body: made, etag: etagOf(made) } : { status: 204 }),
      action: `${part.word}.${made ? (old ? 'update' : 'create') : 'delete'}`,
      target: name,
    };
  });
}

/** @throws Problem `invalid_body` */
function checked(policy: AccessPolicy): AccessPolicy {
  try {
    const read = readNewAccessPolicy(policy, () => 'there is no such member here');
    if (JSON.stringify(read).length <= POLICY_LENGTH) return read;
    throw unfit([{ pointer: '', detail: `the whole policy must have ${POLICY_LENGTH} characters or fewer as JSON` }]);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw unfit(bodyErrors(error, '').map(({ detail }) => ({ pointer: '', detail })));
  }
}

function unfit(errors: readonly ProblemError[]): Problem {
  return new Problem('invalid_body', 'It does not fit into the access policy, so nothing was changed.', { errors });
}

function find<B>(part: Part<B>, { accessPolicy }: AdminTenant, name: string): PolicyPart | undefined {
  return part.all(accessPolicy).find((one) => one.name === name);
}

function missing(word: string): Problem {
  return new Problem('not_found', `The tenant declares no such ${word}.`);
}
