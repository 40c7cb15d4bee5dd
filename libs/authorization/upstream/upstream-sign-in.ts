import type { PurposeKey } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import { answerMessage } from '../http/answers.js';
import { clearCookie, setCookie } from '../http/cookies.js';
import type { InteractionContext } from '../http/interaction-context.js';
import { cookieOf } from '../http/requests.js';
import { finishSignIn, showSignIn } from '../http/sign-in-pages.js';
import type { ProtectedTenant } from '../provider/protected-resources.js';
import type { AccountStore } from '../stores/account.store.js';
import type { Secrets, UpstreamProviders } from './upstream-providers.js';

const CALLBACK_PATH = '/sign-in/callback';
/** Holds what is remembered of a person who is away at the provider. */
const JOURNEY_COOKIE = 'causeway_upstream';
const JOURNEY_LIFE_S = 15 * 60;
/** Holds who came back, until the interaction goes on. */
const RETURN_COOKIE = 'causeway_returned';
const RETURN_LIFE_S = 60;

interface Journey {
  readonly uid: string;
  readonly slug: string;
  readonly secrets: Secrets;
}

interface Returned {
  readonly uid: string;
  readonly accountId: string;
}

export interface UpstreamParts {
  readonly accounts: AccountStore;
  readonly providers: UpstreamProviders;
  /** Seal the cookies. */
  readonly cookieKeys: readonly [PurposeKey, ...PurposeKey[]];
  /** Told why a sign-in did not succeed. */
  onFailure(error: unknown): void;
}

/** Where the answer of a provider arrives. */
export interface ReturnPlace extends Pick<InteractionContext, 'request' | 'response' | 'origin'> {
  tenantBySlug(slug: string): Promise<ProtectedTenant | undefined>;
}

/** Sign-in through a tenant's own OpenID provider. */
export class UpstreamSignIn {
  constructor(private readonly parts: UpstreamParts) {}

  /** Sends the person to the provider. */
  async begin(context: InteractionContext): Promise<void> {
    const { target, interaction, response, origin } = context;
    const provider = target.policy.upstreamProvider;
    if (target.tenantId === null || !provider) {
      showSignIn(context);
      return;
    }
    const begun = await this.parts.providers
      .begin(target, provider, `${origin}${CALLBACK_PATH}`)
      .catch((error: unknown) => this.failed(error));
    if (!begun) {
      showSignIn(context, { status: 502, text: `${provider.label} does not answer. Try again in a moment.` });
      return;
    }
    const journey: Journey = { uid: interaction.uid, slug: target.slug, secrets: begun.secrets };
    const sealed = this.seal(journey, JOURNEY_COOKIE, JOURNEY_LIFE_S);
    setCookie(context, JOURNEY_COOKIE, sealed, { path: CALLBACK_PATH, maxAgeS: JOURNEY_LIFE_S });
    response.writeHead(303, { location: begun.url.href, 'cache-control': 'no-store' }).end();
  }

  /** Takes the provider's answer, and sends the person back to the interaction. */
  async return(place: ReturnPlace): Promise<void> {
    const { request, response } = place;
    const journey = this.open<Journey>(cookieOf(request, JOURNEY_COOKIE), JOURNEY_COOKIE);
    const tenant = journey && (await place.tenantBySlug(journey.slug));
    clearCookie(place, JOURNEY_COOKIE, CALLBACK_PATH);
    if (!journey || !tenant) {
      answerMessage(response, 400, LOST);
      return;
    }
    const accountId = await this.accountOf(place, journey, tenant).catch((error: unknown) => this.failed(error));
    if (accountId === undefined) {
      answerMessage(response, 403, NOT_SIGNED_IN);
      return;
    }
    const path = finishPath(journey.uid);
    const sealed = this.seal({ uid: journey.uid, accountId } satisfies Returned, RETURN_COOKIE, RETURN_LIFE_S);
    setCookie(place, RETURN_COOKIE, sealed, { path, maxAgeS: RETURN_LIFE_S });
    response.writeHead(303, { location: path, 'cache-control': 'no-store' }).end();
  }

  /** Goes on with who came back. */
  async finish(context: InteractionContext): Promise<void> {
    const { request, interaction, target } = context;
    const returned = this.open<Returned>(cookieOf(request, RETURN_COOKIE), RETURN_COOKIE);
    clearCookie(context, RETURN_COOKIE, finishPath(interaction.uid));
    const account = returned?.uid === interaction.uid ? await this.parts.accounts.find(returned.accountId) : undefined;
    if (account?.status === 'active' && account.tenantId === target.tenantId) await finishSignIn(context, account.id);
    else showSignIn(context, { status: 403, text: 'That account cannot sign in here.' });
  }

  private async accountOf(
    { request, origin }: ReturnPlace,
    { secrets }: Journey,
    tenant: ProtectedTenant,
  ): Promise<string | undefined> {
    const provider = tenant.policy.upstreamProvider;
    if (!provider) return undefined;
    const answer = new URL(request.url ?? '', origin);
    const identity = await this.parts.providers.identify(tenant, provider, { answer, secrets });
    return (await this.parts.accounts.findOrCreateUpstream(identity, provider.newcomerRole)).id;
  }

  /** What a provider answered may hold tokens and names: only the kind of what went wrong is told. */
  private failed(error: unknown): undefined {
    const { name = 'Error', code, error: answer } = error as { name?: string; code?: string; error?: unknown };
    const kind = [name, code, typeof answer === 'string' ? answer : undefined].filter(Boolean).join(', ');
    this.parts.onFailure(new Error(`A sign-in through a provider did not succeed (${kind.slice(0, 200)})`));
    return undefined;
  }

  private seal(value: object, purpose: string, lifeS: number): string {
    const text = JSON.stringify({ value, expiresAt: Date.now() + lifeS * 1_000 });
    return sealText(this.parts.cookieKeys, text, purpose);
  }

  private open<T>(sealed: string | undefined, purpose: string): T | undefined {
    const text = sealed === undefined ? undefined : openText(this.parts.cookieKeys, sealed, purpose);
    if (text === undefined) return undefined;
    const { value, expiresAt } = JSON.parse(text) as { value: T; expiresAt: number };
    return expiresAt > Date.now() ? value : undefined;
  }
}

function finishPath(uid: string): string {
  return `/interaction/${uid}/upstream/finish`;
}

const LOST = {
  title: 'This sign-in was not begun here',
  message: 'It took too long, or it was begun in another browser.',
  hint: 'Go back to the application and connect again.',
  tone: 'error',
} as const;

const NOT_SIGNED_IN = {
  title: 'You are not signed in',
  message: 'Your organisation’s sign-in did not confirm who you are.',
  hint: 'Go back to the application and connect again. If this comes back, tell the administrator of the MCP server.',
  tone: 'error',
} as const;
