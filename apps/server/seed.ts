import type { AccessPolicyInput } from '#tenancy/access-policy.js';
import type { NewTenant, TenantStore } from '#tenancy/tenant.store.js';

/** Reading is for whoever connects; writing is asked for when it is needed. */
const NOTES_POLICY: AccessPolicyInput = {
  scopes: [
    { name: 'notes:read', description: 'Read your notes' },
    { name: 'notes:write', description: 'Write and delete your notes', implies: ['notes:read'] },
  ],
  baseline: ['notes:read'],
  showAll: true,
};

/**
 * The tenants of a fresh deployment. The demo is open to all only where nobody but this machine can call it; elsewhere
 * it wants a token like any other.
 */
export function firstTenants(local: boolean): readonly NewTenant[] {
  return [
    {
      slug: 'demo',
      title: 'Causeway demo',
      access: local ? 'open' : 'oauth',
      activations: [{ module: 'demo', configuration: {} }],
    },
    {
      slug: 'demo-secure',
      title: 'Causeway demo with sign-in',
      access: 'oauth',
      accessPolicy: NOTES_POLICY,
      activations: [{ module: 'notes', configuration: {} }],
    },
  ];
}

/** Makes the tenants when there are none yet. Nodes that start at once do no harm: a slug is given once. */
export async function seed(store: TenantStore, tenants: readonly NewTenant[]): Promise<void> {
  if (tenants.length > 0 && (await store.isEmpty())) await store.createMany(tenants);
}
