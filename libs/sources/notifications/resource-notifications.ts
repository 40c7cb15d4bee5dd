import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalogue } from '#catalogue/catalogue.js';
import { Forbidden, type Grant } from '#catalogue/catalogue-view.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { ChangeRelay } from '#events/change-relay.js';
import type { Outbox } from '#events/outbox.js';
import { MissingSecretError, type SecretVault } from '../secrets/secret-vault.js';
import type { NotificationStore } from './notification.store.js';
import { readNotice } from './read-notice.js';
import { isSignedWith, readWebhookFields, type WebhookFields } from './webhook-signature.js';
import { webhookSecretsOf } from './webhook-secrets.js';

export interface NotificationParts {
  readonly tenants: Pick<TenantDirectory, 'find'>;
  readonly secrets: Pick<SecretVault, 'read'>;
  readonly store: Pick<NotificationStore, 'take'>;
  readonly outbox: Pick<Outbox, 'append'>;
  readonly relay: Pick<ChangeRelay, 'send'>;
}

export interface NotifyRequest {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it was sent: `{"uris": [...]}`. */
  readonly rawBody: Uint8Array;
  /** Whether who sent it may administer the tenant: then it needs no signature. */
  readonly isAdmin: boolean;
}

/**
 * What became of a notification.
 * - `announced`: listeners are told of these; the others are no resources that the sender may announce.
 * - `repeated`: a message with this id was taken before; nothing is announced again.
 * - `unsigned`: it is not signed as it should be. Says nothing about the tenant, nor whether there is one.
 * - `malformed`: the body is wrong; the pointer says where.
 * - `no_tenant`: there is no tenant with this slug. Only admins are told.
 */
export type NotifyOutcome =
  | { readonly type: 'announced'; readonly announced: readonly string[]; readonly unknown: readonly string[] }
  | { readonly type: 'repeated' }
  | { readonly type: 'unsigned'; readonly problem: string }
  | { readonly type: 'malformed'; readonly error: DefinitionError }
  | { readonly type: 'no_tenant' };

/** How many secrets a signature is tried with: who sends it need not be known. */
const MAX_SECRETS = 100;

/** Sees everything: what a resource is does not depend on who may read it. */
const EVERYTHING: Grant = { key: 'resource notifications', canStepUp: false, permits: () => true };

const NOT_SIGNED = 'The signature fits none of the secrets that resources of this tenant name for webhooks.';

/** Takes in that contents of resources have changed, as the tenant's own systems say. */
export class ResourceNotifications {
  constructor(private readonly parts: NotificationParts) {}

  /** @throws when the database cannot be reached */
  async notify(slug: string, request: NotifyRequest): Promise<NotifyOutcome> {
    const fields = request.isAdmin ? undefined : readWebhookFields(request.headers, Date.now());
    if (typeof fields === 'string') return { type: 'unsigned', problem: fields };
    const catalogue = await this.parts.tenants.find(slug);
    if (!fields) return catalogue ? this.announce(catalogue, request, undefined) : { type: 'no_tenant' };
    const signers = catalogue && (await this.signersOf(catalogue, fields, request.rawBody));
    if (!signers || signers.size === 0) return { type: 'unsigned', problem: NOT_SIGNED };
    return this.announce(catalogue, request, { id: fields.id, signers });
  }

  private async announce(
    catalogue: Catalogue,
    { rawBody }: NotifyRequest,
    signed: { readonly id: string; readonly signers: ReadonlySet<string> } | undefined,
  ): Promise<NotifyOutcome> {
    const uris = readOrFault(rawBody);
    if (uris instanceof DefinitionError) return { type: 'malformed', error: uris };
    const announced = await announceable(catalogue, uris, signed?.signers);
    const tenantId = catalogue.tenant.id;
    const changes = announced.map((uri) => ({ type: 'resource' as const, tenantId, uri }));
    const entries = signed
      ? await this.parts.store.take({ tenantId, id: signed.id }, changes)
      : await this.parts.outbox.append(changes);
    if (!entries) return { type: 'repeated' };
    await this.parts.relay.send(entries);
    return { type: 'announced', announced, unknown: uris.filter((uri) => !announced.includes(uri)) };
  }

  /** The names of the secrets with which the message is signed. */
  private async signersOf(catalogue: Catalogue, fields: WebhookFields, body: Uint8Array): Promise<ReadonlySet<string>> {
    const signers = new Set<string>();
    const names = [...new Set(webhookSecretsOf(catalogue).values())];
    for (const name of names.slice(0, MAX_SECRETS)) {
      const secret = await this.secretOf(catalogue.tenant.id, name);
      if (secret !== undefined && isSignedWith(secret, fields, body)) signers.add(name);
    }
    return signers;
  }

  private async secretOf(tenantId: string, name: string): Promise<string | undefined> {
    try {
      return await this.parts.secrets.read(tenantId, name);
    } catch (error) {
      if (error instanceof MissingSecretError) return undefined;
      throw error;
    }
  }
}

function readOrFault(body: Uint8Array): readonly string[] | DefinitionError {
  try {
    return readNotice(body);
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
}

/** Others get their turn after each look-up: a catalogue may have thousands of templates. */
async function announceable(
  catalogue: Catalogue,
  uris: readonly string[],
  signers: ReadonlySet<string> | undefined,
): Promise<readonly string[]> {
  const announced: string[] = [];
  for (const uri of uris) {
    if (mayAnnounce(catalogue, uri, signers)) announced.push(uri);
    await nextTurn();
  }
  return announced;
}

/** @param signers undefined for an admin, who may announce whatever there is */
function mayAnnounce(catalogue: Catalogue, uri: string, signers: ReadonlySet<string> | undefined): boolean {
  const found = catalogue.view(EVERYTHING).findResource(uri);
  if (!found || found instanceof Forbidden) return false;
  return !signers || signers.has(webhookSecretsOf(catalogue).get(found.entry) ?? '');
}
