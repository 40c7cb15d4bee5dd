import { hash, randomBytes } from 'node:crypto';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import type { JsonObject } from '#protocol/json.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { firstTenants } from '#server/seed.js';
import { type NewTenant, TenantStore } from '#tenancy/tenant.store.js';
import { Person } from './person.js';
import { type RunningServer, runServer, type ServerSetup } from './running-server.js';

/** The demo with sign-in, as the seed makes it, under another slug if need be. */
export function secureTenant(slug = 'demo-secure'): NewTenant {
  const demo = firstTenants(true).find((tenant) => tenant.slug === 'demo-secure');
  if (!demo) throw new Error('The seed has no demo-secure.');
  return { ...demo, slug };
}

/** A platform with the demo with sign-in. */
export function runSecureDemo(setup: Partial<ServerSetup> = {}): Promise<RunningServer> {
  return runServer({ modules: [NotesModule], tenants: [secureTenant()], ...setup });
}

/** A person with an account, who is a member of these tenants in this role. */
export async function personOf(
  { server: { app } }: RunningServer,
  slugs: readonly string[],
  role = 'member',
): Promise<Person> {
  const email = `person-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(9).toString('base64url');
  const accounts = app.get(AccountStore);
  const passwordHash = await app.get(Passwords).hash(password);
  const { id } = await accounts.create({ login: email, name: 'A person', passwordHash });
  for (const slug of slugs) await accounts.setMembership(await tenantIdOf(app, slug), id, role);
  return new Person(email, password);
}

/** A confidential client that a tenant's admin registered, and its secret. */
export async function registeredClient(
  { server: { app } }: RunningServer,
  slug: string,
  metadata: JsonObject,
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = `client-${randomBytes(4).toString('hex')}`;
  const secret = randomBytes(24).toString('base64url');
  const tenantId = await tenantIdOf(app, slug);
  const secretHash = hash('sha256', secret, 'base64url');
  await app.get(ClientStore).save({ id, issuer: null, tenantId, metadata: { ...metadata }, secretHash });
  return { id, secret };
}

async function tenantIdOf(app: RunningServer['server']['app'], slug: string): Promise<string> {
  const tenant = await app.get(TenantStore).findBySlug(slug);
  if (!tenant) throw new Error(`There is no tenant "${slug}".`);
  return tenant.id;
}
