import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Client, errors, type Provider } from 'oidc-provider';
import { equalTexts } from '#protocol/equal-texts.js';
import type { PurposeKey } from '#protocol/key-ring.js';
import type { ClientView } from '../pages/page-models.js';
import { accountFits } from '../provider/account-rules.js';
import { clientView } from '../provider/client-view.js';
import type { Issuer } from '../provider/open-provider.js';
import type { ProtectedResource, ProtectedResources } from '../provider/protected-resources.js';
import type { Account } from '../stores/account.store.js';
import type { AuthorizationStores } from '../provider/stores.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** What the pages of an interaction have in common. */
export interface InteractionContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly origin: string;
  /** The client's network address. */
  readonly address: string;
  readonly issuer: Issuer;
  readonly interaction: Interaction;
  readonly target: ProtectedResource;
  readonly client: Client;
  readonly clientView: ClientView;
  /** Who is signed in, when that fits the resource. */
  readonly account: Account | undefined;
  readonly csrf: string;
  /** Whether the browser goes to the client in the end; with a device it stays. */
  readonly leadsAway: boolean;
}

/** The interaction is not there any more, or not this browser's. */
export class InteractionGoneError extends Error {}

export interface ContextParts {
  readonly resources: ProtectedResources;
  readonly stores: AuthorizationStores;
  readonly csrfKeys: readonly [PurposeKey, ...PurposeKey[]];
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly origin: string;
  readonly address: string;
  readonly issuer: Issuer;
  readonly uid: string;
}

/** @throws InteractionGoneError */
export async function openInteraction(
  arrived: Arrived,
  { resources, stores, csrfKeys }: ContextParts,
): Promise<InteractionContext> {
  const { request, response, origin, address, issuer, uid } = arrived;
  const interaction = await issuer.provider.interactionDetails(request, response).catch((error: unknown) => {
    throw error instanceof errors.SessionNotFound ? new InteractionGoneError() : error;
  });
  if (interaction.uid !== uid) throw new InteractionGoneError();
  const { client_id: clientId, resource, redirect_uri: redirectUri } = interaction.params;
  const client = await issuer.provider.Client.find(String(clientId));
  const target = typeof resource === 'string' ? await resources.find(origin, resource) : undefined;
  if (!client || !target) throw new InteractionGoneError();
  const redirect = typeof redirectUri === 'string' ? redirectUri : undefined;
  const isRegistered = (await stores.clients.find(client.clientId))?.tenantId != null;
  const voucher = resources.isOwnClient(origin, client.clientId) ? 'platform' : isRegistered ? 'admin' : undefined;
  return {
    request,
    response,
    origin,
    address,
    issuer,
    interaction,
    target,
    client,
    clientView: clientView(client, redirect, voucher),
    account: await signedIn(interaction, target, stores),
    csrf: csrfToken(csrfKeys[0].key, uid),
    leadsAway: redirect !== undefined,
  };
}

/** Nobody counts as signed in while the prompt is to sign in. */
async function signedIn(
  { prompt, session }: Interaction,
  target: ProtectedResource,
  { accounts }: AuthorizationStores,
): Promise<Account | undefined> {
  if (prompt.name !== 'consent' || session?.accountId === undefined) return undefined;
  const account = await accounts.find(session.accountId);
  return account?.status === 'active' && accountFits(account, target) ? account : undefined;
}

/** Whether a form was made for this interaction, by any key that still opens. */
export function isCsrfToken(keys: ContextParts['csrfKeys'], uid: string, given: string | null): boolean {
  return keys.some(({ key }) => equalTexts(given ?? '', csrfToken(key, uid)));
}

function csrfToken(key: Buffer, uid: string): string {
  return createHmac('sha256', key).update(uid).digest('base64url');
}
