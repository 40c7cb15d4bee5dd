import { OPENID_SCOPES } from '../openid-scopes.js';
import { consentPage } from '../pages/consent.page.js';
import { CONNECT_SCOPE } from '#tenancy/access-policy.js';
import { noAccessPage } from '../pages/no-access.page.js';
import type { AccountRules } from '../provider/account-rules.js';
import type { AuthorizationStores } from '../provider/stores.js';
import { type Account, labelOf } from '../stores/account.store.js';
import { GrantEndedError, GrantExistsError, type GrantKey } from '../stores/grant.store.js';
import { answerPage } from './answers.js';
import type { InteractionContext } from './interaction-context.js';

/** What is asked for, sorted by what the account may give. */
interface Request {
  readonly granted: readonly string[];
  readonly withheld: readonly string[];
  readonly openid: readonly string[];
}

export async function showConsent(
  context: InteractionContext,
  account: Account,
  stores: AuthorizationStores,
): Promise<void> {
  const { interaction, target, client, clientView, csrf, leadsAway } = context;
  const base = `/interaction/${interaction.uid}`;
  const { granted, withheld } = await sortScopes(context, account, context.issuer.rules);
  const before = await stores.grants.findByKey(keyOf(context, account));
  const had = new Set(scopesOf(before?.payload, target.resource));
  const described = (name: string) => ({ name, description: describe(context, name) });
  const page = consentPage({
    tenantTitle: target.title,
    resource: target.resource,
    client: clientView,
    account: { name: labelOf(account) },
    scopes: granted.map((name) => ({ ...described(name), isNew: had.size > 0 && !had.has(name) })),
    withheld: withheld.map(described),
    keepsAccess: client.grantTypeAllowed('refresh_token'),
    action: `${base}/consent`,
    csrf,
    switchAction: `${base}/switch`,
  });
  answerPage(context.response, page, { leadsAway });
}

export function showNoAccess(context: InteractionContext, account: Account): void {
  const { interaction, target, csrf, leadsAway } = context;
  const base = `/interaction/${interaction.uid}`;
  const page = noAccessPage({
    tenantTitle: target.title,
    isTenant: target.tenantId !== null,
    account: { name: labelOf(account) },
    csrf,
    switchAction: `${base}/switch`,
    cancelAction: `${base}/cancel`,
  });
  answerPage(context.response, page, { status: 403, leadsAway });
}

/** Takes the form of the consent page. */
export async function takeConsent(
  context: InteractionContext,
  account: Account,
  form: URLSearchParams,
  stores: AuthorizationStores,
): Promise<void> {
  if (form.get('decision') !== 'allow') {
    await refuse(context);
    return;
  }
  const { issuer, client, request, response } = context;
  const asked = asShown(await sortScopes(context, account, issuer.rules), form.get('scope') ?? '');
  const grantId = await grant(context, account, asked, stores).catch((error: unknown) => {
    if (!(error instanceof GrantExistsError || error instanceof GrantEndedError)) throw error;
    return grant(context, account, asked, stores); // another window was first: add to its grant, or make one anew
  });
  await stores.clients.markUsed(client.clientId);
  await issuer.provider.interactionFinished(request, response, { consent: { grantId } });
}

/** Ends the interaction with a no. */
export async function refuse({ issuer, request, response }: InteractionContext): Promise<void> {
  const result = { error: 'access_denied', error_description: 'The person did not allow it.' };
  await issuer.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function grant(
  context: InteractionContext,
  account: Account,
  asked: Request,
  stores: AuthorizationStores,
): Promise<string> {
  const { provider } = context.issuer;
  const { resource } = context.target;
  const before = await stores.grants.findByKey(keyOf(context, account));
  const known = before && (await provider.Grant.find(before.id));
  const made = known ?? new provider.Grant({ accountId: account.id, clientId: context.client.clientId });
  delete (made as { rejected?: unknown }).rejected; // what a role did not permit then, it may permit now
  made.addResourceScope(resource, asked.granted.join(' '));
  if (asked.withheld.length > 0) made.rejectResourceScope(resource, asked.withheld.join(' '));
  if (asked.openid.length > 0) made.addOIDCScope(asked.openid.join(' '));
  return made.save();
}

async function sortScopes(
  { interaction, target }: InteractionContext,
  { id }: Account,
  rules: AccountRules,
): Promise<Request> {
  const asked = textOf(interaction.params['scope']).split(' ');
  const grantable = await rules.grantable(id, target);
  const own = asked.filter((scope) => target.scopes.includes(scope));
  return {
    granted: own.filter((scope) => grantable.includes(scope)),
    withheld: own.filter((scope) => !grantable.includes(scope)),
    openid: asked.filter((scope) => OPENID_SCOPES.has(scope)),
  };
}

/** What the role came to permit after the page was made was not agreed to. */
function asShown({ granted, withheld, openid }: Request, shown: string): Request {
  const agreed = new Set(shown.split(' '));
  return {
    granted: granted.filter((scope) => agreed.has(scope)),
    withheld: [...withheld, ...granted.filter((scope) => !agreed.has(scope))],
    openid,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function keyOf({ origin, client, target }: InteractionContext, account: Account): GrantKey {
  return { issuer: origin, accountId: account.id, clientId: client.clientId, resource: target.resource };
}

function scopesOf(payload: Readonly<Record<string, unknown>> | undefined, resource: string): readonly string[] {
  const { resources = {} } = (payload ?? {}) as { resources?: Readonly<Record<string, string>> };
  return (resources[resource] ?? '').split(' ').filter(Boolean);
}

/** In the words of the tenant's admin. */
function describe({ target }: InteractionContext, name: string): string | undefined {
  const inWords = (scope: string): string | undefined =>
    target.policy.scopes.find((declaration) => declaration.name === scope)?.description;
  const implied = target.policy.scopes.find((declaration) => declaration.name === name)?.implies ?? [];
  const alone = inWords(name) ?? (name === CONNECT_SCOPE ? connecting(target.title) : undefined);
  if (alone === undefined || implied.length === 0) return alone;
  return `${alone}, and with it: ${implied.map((scope) => inWords(scope) ?? scope).join('; ')}`;
}

function connecting(title: string): string {
  return `Connect to ${title} and use what needs no further permission`;
}
