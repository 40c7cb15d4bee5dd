import { SlugTakenError, type TenantAccess, type TenantRecord, type TenantStatus } from '#tenancy/tenant.store.js';
import type { Arguments, Command } from './command.js';
import { type ManageContext, ManageError, tenantOf } from './context.js';
import { readPolicyFile } from './policy-file.js';
import { table } from './table.js';

/** Slugs, and names of modules as `@McpModule` takes them. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ACCESS = ['oauth', 'open', 'tokens'] as const satisfies readonly TenantAccess[];

/** Tenants, and how they are reached. */
export const TENANT_COMMANDS: Readonly<Record<string, Command>> = {
  'tenant list': {
    usage: 'tenant list',
    meaning: 'list the tenants',
    words: [0, 0],
    run: async ({ tenants }) => {
      const rows = (await tenants.list()).map(({ slug, title, access, status, activations }) => [
        slug,
        title,
        access,
        status,
        activations.map(({ module }) => module).join(', '),
      ]);
      return table(['slug', 'title', 'access', 'status', 'modules'], rows);
    },
  },
  'tenant add': {
    usage: 'tenant add SLUG --title TITLE [--module NAME]... [--access oauth|open|tokens]',
    meaning: 'make a tenant; it wants OAuth unless you say otherwise',
    options: { title: { type: 'string' }, module: { type: 'string', multiple: true }, access: { type: 'string' } },
    words: [1, 1],
    run: addTenant,
  },
  'tenant activate': {
    usage: 'tenant activate SLUG MODULE',
    meaning: 'switch a module on; one that the server does not have is left out until it does',
    words: [2, 2],
    run: async (context, { positionals: [slug, module = ''] }) => {
      const tenant = await tenantOf(context, slug);
      await context.tenants.setActivation(tenant.id, moduleIn(module), true);
      return `${module} is active in ${tenant.slug}.`;
    },
  },
  'tenant deactivate': {
    usage: 'tenant deactivate SLUG MODULE',
    meaning: 'switch a module off',
    words: [2, 2],
    run: async (context, { positionals: [slug, module = ''] }) => {
      const tenant = await tenantOf(context, slug);
      const active = tenant.activations.map((activation) => activation.module);
      if (!active.includes(module)) {
        throw new ManageError(`${module} is not active in ${tenant.slug}. What is: ${active.join(', ') || 'nothing'}.`);
      }
      await context.tenants.setActivation(tenant.id, module, false);
      return `${module} is no longer active in ${tenant.slug}.`;
    },
  },
  'tenant access': {
    usage: 'tenant access SLUG oauth|open|tokens',
    meaning: 'change how the tenant is reached',
    words: [2, 2],
    run: async (context, { positionals: [slug, access = ''] }) => {
      const tenant = await tenantOf(context, slug);
      await context.tenants.setAccess(tenant.id, { access: accessIn(access) });
      return `${tenant.slug} is reached by: ${access}.`;
    },
  },
  'tenant policy': {
    usage: 'tenant policy SLUG [FILE]',
    meaning: 'print the access policy, or set it as a whole from a JSON file (docs/access.md)',
    words: [1, 2],
    run: async (context, { positionals: [slug, file] }) => {
      const tenant = await tenantOf(context, slug);
      if (file === undefined) return JSON.stringify(tenant.accessPolicy, null, 2);
      const accessPolicy = await readPolicyFile(context, tenant, file);
      await context.tenants.setAccess(tenant.id, { accessPolicy });
      return `The access policy of ${tenant.slug} is set.`;
    },
  },
  'tenant suspend': {
    usage: 'tenant suspend SLUG',
    meaning: 'serve the tenant no more: everybody is answered 403',
    words: [1, 1],
    run: async (context, { positionals: [slug] }) => setStatus(context, slug, 'suspended'),
  },
  'tenant resume': {
    usage: 'tenant resume SLUG',
    meaning: 'serve a suspended tenant again',
    words: [1, 1],
    run: async (context, { positionals: [slug] }) => setStatus(context, slug, 'active'),
  },
};

async function addTenant(context: ManageContext, given: Arguments): Promise<string> {
  const [slug = ''] = given.positionals;
  if (!NAME.test(slug)) throw new ManageError(`"${slug}" is no slug: lower case, digits and dashes, 63 at most.`);
  const activations = given.list('module').map((module) => ({ module: moduleIn(module), configuration: {} }));
  const access = accessIn(given.text('access') ?? 'oauth');
  try {
    const tenant = await context.tenants.create({ slug, title: given.required('title'), access, activations });
    return [`The tenant is made: ${context.urlOf(slug)}`, ...nextSteps(tenant)].join('\n');
  } catch (error) {
    throw error instanceof SlugTakenError ? new ManageError(error.message) : error;
  }
}

/** What a new tenant still needs to be of use to anybody. */
function nextSteps({ slug, access, activations }: TenantRecord): readonly string[] {
  const entry: Readonly<Record<TenantAccess, string>> = {
    oauth: `It has no members yet, not even the owner: member set ${slug} EMAIL --role owner`,
    tokens: `It has no tokens yet: token issue ${slug} --name NAME`,
    open: 'Everybody who reaches the server may call it.',
  };
  const modules = activations.length === 0 ? [`It has no modules yet: tenant activate ${slug} MODULE`] : [];
  return [...modules, entry[access]];
}

async function setStatus(context: ManageContext, slug: string | undefined, status: TenantStatus): Promise<string> {
  const tenant = await tenantOf(context, slug);
  await context.tenants.setStatus(tenant.id, status);
  return `${tenant.slug} is ${status}.`;
}

function accessIn(text: string): TenantAccess {
  const access = ACCESS.find((one) => one === text);
  if (!access) throw new ManageError(`"${text}" is none of ${ACCESS.join(', ')}.`);
  return access;
}

function moduleIn(name: string): string {
  if (!NAME.test(name))
    throw new ManageError(`"${name}" is no name of a module: lower case, digits and dashes, 63 at most.`);
  return name;
}
