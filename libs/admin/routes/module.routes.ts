import { z } from 'zod';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { JsonObject } from '#protocol/json.js';
import type { AdminParts } from '../admin-parts.js';
import type { CatalogueDone } from '../changes/catalogue-changes.js';
import { requireMatch } from '../changes/change-terms.js';
import { type AdminRoute, callerRoute, tenantRoute, type TenantRequest } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { jsonObject, slug } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import type { Activation } from '#tenancy/tenant.store.js';
import type { AdminRows } from '../stores/admin.store.js';

const CONFIGURATION_LENGTH = 64 * 1024;

const moduleView = z
  .object({
    name: z.string(),
    title: z.string().optional(),
    instructions: z.string().optional(),
    configuration: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The JSON Schema of what a tenant may set for it; nothing where there is none.'),
  })
  .meta({ id: 'Module' });

const activationView = z
  .object({
    module: z.string(),
    configuration: z.record(z.string(), z.unknown()),
    known: z.boolean().describe('Whether this platform has the module; one that it has not is left out.'),
  })
  .meta({ id: 'Activation' });

const newActivation = z.strictObject({ configuration: jsonObject(CONFIGURATION_LENGTH).default({}) });

const params = z.object({ slug: z.string(), module: slug });

type Params = z.output<typeof params>;

/** Code modules, and which of them a tenant has switched on. */
export function moduleRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store, modules } = parts;
  const isKnown = (name: string): boolean => modules().some((module) => module.name === name);
  const show = (activation: Activation) => ({ ...activation, known: isKnown(activation.module) });
  return [
    callerRoute({
      method: 'GET',
      path: '/modules',
      area: 'tenants',
      summary: 'List the code modules that this platform has',
      permission: { to: 'callers', scope: 'tenants:read' },
      outcome: { status: 200, schema: listing(moduleView) },
      run: () => Promise.resolve({ status: 200, body: { items: modules(), next: null } }),
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/activations',
      area: 'tenants',
      summary: 'List the modules that the tenant has switched on',
      scope: 'tenants:read',
      params: z.object({ slug: z.string() }),
      outcome: { status: 200, schema: listing(activationView) },
      run: async ({ tenant }) => {
        const items = (await store.rows.tenants.activations(tenant.id)).map(show);
        return { status: 200, body: { items, next: null } };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/activations/:module',
      area: 'tenants',
      summary: 'See one module of the tenant',
      scope: 'tenants:read',
      params,
      outcome: { status: 200, schema: activationView },
      run: async ({ tenant, params: { module } }) => {
        const activation = await find(store.rows, tenant.id, module);
        if (!activation) throw missing();
        return { status: 200, body: show(activation), etag: etagOf(activation, { known: isKnown(module) }) };
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: '/tenants/:slug/activations/:module',
      area: 'tenants',
      summary: 'Switch a module on, or change its configuration',
      scope: 'tenants:write',
      params,
      body: newActivation,
      makes: true,
      outcome: { status: 200, schema: activationView },
      run: async (request) => {
        await requireFit(parts, request.params.module, request.body.configuration);
        return activate(parts, request);
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug/activations/:module',
      area: 'tenants',
      summary: 'Switch a module off',
      scope: 'tenants:write',
      params,
      outcome: { status: 204 },
      run: (request) => deactivate(parts, request),
    }),
  ];
}

/** @throws Problem `not_found`, `invalid_body` */
async function requireFit({ readConfiguration }: AdminParts, module: string, given: JsonObject): Promise<void> {
  try {
    const reading = readConfiguration(module, given);
    if (!reading) throw new Problem('not_found', `This platform has no module "${module}".`);
    await reading;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new Problem('invalid_body', 'The configuration does not fit, so nothing was changed.', {
      errors: [{ pointer: `/configuration${error.pointer}`, detail: `${error.problem} ${error.mend}` }],
    });
  }
}

function activate(
  { catalogues }: AdminParts,
  {
    tenant,
    terms,
    params: { module },
    body: { configuration },
  }: TenantRequest<Params, unknown, z.output<typeof newActivation>>,
) {
  return catalogues.make(terms, tenant, async (rows, { id }): Promise<CatalogueDone> => {
    const old = await find(rows, id, module);
    requireMatch(terms, old && etagOf(old));
    await rows.tenants.activate(id, module, configuration);
    const activation = await find(rows, id, module);
    const body = { module, configuration, known: true };
    const etag = etagOf(activation ?? {}, { known: true });
    return {
      answer: () => ({ status: old ? 200 : 201, body, etag }),
      action: old ? 'activation.update' : 'activation.create',
      target: module,
    };
  });
}

function deactivate(
  { catalogues }: AdminParts,
  { tenant, terms, params: { module } }: TenantRequest<Params, unknown, unknown>,
) {
  return catalogues.make(terms, tenant, async (rows, { id }): Promise<CatalogueDone> => {
    const old = await find(rows, id, module);
    if (!old) throw missing();
    requireMatch(terms, etagOf(old));
    await rows.tenants.deactivate(id, module);
    return { answer: () => ({ status: 204 }), action: 'activation.delete', target: module };
  });
}

async function find({ tenants }: AdminRows, tenantId: string, module: string): Promise<Activation | undefined> {
  return (await tenants.activations(tenantId)).find((activation) => activation.module === module);
}

function missing(): Problem {
  return new Problem('not_found', 'The tenant has not switched on such a module.');
}
