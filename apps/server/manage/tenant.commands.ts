import { z } from 'zod';
import { secretBinding } from '#authorization/upstream/upstream-providers.js';
import { sealText } from '#protocol/sealed-text.js';
import { type AccessPolicy, accessPolicySchema } from '#tenancy/access-policy.js';
import { SlugTakenError, type TenantAccess } from '#tenancy/tenant.store.js';
import type { Command } from './command.js';
import { type ManageContext, ManageError, tenantOf } from './context.js';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ACCESS = ['oauth', 'open', 'tokens'] as const satisfies readonly TenantAccess[];

/** Tenants, and how they are reached. */
export const TENANT_COMMANDS: Readonly<Record<string, Command>> = {
  'tenant add': {
    usage: 'tenant add SLUG --title TITLE [--module NAME]... [--access oauth|open|tokens]',
    meaning: 'make a tenant; it wants OAuth unless it is told otherwise',
    options: { title: { type: 'string' }, module: { type: 'string', multiple: true }, access: { type: 'string' } },
    words: [1, 1],
    run: async ({ tenants }, { positionals: [slug = ''], required, list, text }) => {
      if (!SLUG.test(slug)) throw new ManageError(`"${slug}" is no slug: lower case, digits and dashes, 63 at most.`);
      const activations = list('module').map((module) => ({ module, configuration: {} }));
      const access = accessIn(text('access') ?? 'oauth');
      try {
        await tenants.create({ slug, title: required('title'), access, activations });
      } catch (error) {
        throw error instanceof SlugTakenError ? new ManageError(error.message) : error;
      }
      return `The tenant is made. It is at /t/${slug}/mcp.`;
    },
  },
  'tenant access': {
    usage: 'tenant access SLUG oauth|open|tokens',
    meaning: 'change how the tenant is reached',
    words: [2, 2],
    run: async (context, { positionals: [slug, access = ''] }) => {
      await context.tenants.setAccess((await tenantOf(context, slug)).id, { access: accessIn(access) });
      return `The tenant is reached by: ${access}.`;
    },
  },
  'tenant policy': {
    usage: 'tenant policy SLUG [FILE]',
    meaning: 'print the access policy, or set it from a JSON file (docs/access.md)',
    words: [1, 2],
    run: async (context, { positionals: [slug, file] }) => {
      const tenant = await tenantOf(context, slug);
      if (file === undefined) return JSON.stringify(tenant.accessPolicy, null, 2);
      const accessPolicy = await readPolicy(context, tenant.id, file);
      await context.tenants.setAccess(tenant.id, { accessPolicy });
      return 'The access policy is set.';
    },
  },
};

function accessIn(text: string): TenantAccess {
  const access = ACCESS.find((one) => one === text);
  if (!access) throw new ManageError(`"${text}" is none of ${ACCESS.join(', ')}.`);
  return access;
}

/** A `clientSecret` in the file is sealed; what is kept, and printed, is the sealed one. */
async function readPolicy(context: ManageContext, tenantId: string, file: string): Promise<AccessPolicy> {
  const text = await context.readFile(file).catch((error: unknown) => {
    throw new ManageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return accessPolicySchema.parse(sealSecret(JSON.parse(text) as PolicyFile, context, tenantId));
  } catch (error) {
    if (error instanceof z.ZodError) throw new ManageError(`${file} is no access policy:\n${z.prettifyError(error)}`);
    throw error instanceof SyntaxError ? new ManageError(`${file} is not JSON: ${error.message}`) : error;
  }
}

interface PolicyFile {
  readonly upstreamProvider?: { readonly clientSecret?: unknown };
}

function sealSecret(policy: PolicyFile, { keys }: ManageContext, tenantId: string): object {
  const { clientSecret, ...provider } = policy.upstreamProvider ?? {};
  if (typeof clientSecret !== 'string') return policy;
  const sealedSecret = sealText(keys.derive('upstream secret'), clientSecret, secretBinding(tenantId));
  return { ...policy, upstreamProvider: { ...provider, sealedSecret } };
}
