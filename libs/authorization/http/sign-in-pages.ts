import type { Provider } from 'oidc-provider';
import { KNOWN_BROWSER_LIFE_S, type KnownBrowsers } from '../accounts/known-browsers.js';
import { TooBusyError } from '../accounts/passwords.js';
import type { PasswordSignIn, SignInOutcome } from '../accounts/sign-in.js';
import { signInPage } from '../pages/sign-in.page.js';
import { accountFits } from '../provider/account-rules.js';
import { answerPage } from './answers.js';
import { setCookie } from './cookies.js';
import type { InteractionContext } from './interaction-context.js';
import { cookieOf } from './requests.js';

const KNOWN_BROWSER_COOKIE = 'causeway_browser';
const REFUSED = 'The e-mail address or the password is not right.';

type Session = Awaited<ReturnType<Provider['Session']['get']>>;

export interface SignInParts {
  readonly signIn: PasswordSignIn;
  readonly browsers: KnownBrowsers;
}

export interface SignInProblem {
  readonly status: number;
  readonly text: string;
  readonly email?: string;
  readonly retryAfterS?: number;
}

export function showSignIn(context: InteractionContext, problem?: SignInProblem): void {
  const { interaction, target, clientView, csrf, leadsAway } = context;
  const base = `/interaction/${interaction.uid}`;
  const { upstreamProvider, passwordSignIn } = target.policy;
  const page = signInPage({
    tenantTitle: target.title,
    client: clientView,
    action: `${base}/sign-in`,
    cancelAction: `${base}/cancel`,
    csrf,
    email: problem?.email ?? loginHint(context),
    problem: problem?.text,
    upstream: upstreamProvider && { label: upstreamProvider.label, href: `${base}/upstream` },
    passwordSignIn,
  });
  const fields = problem?.retryAfterS === undefined ? {} : { 'retry-after': String(problem.retryAfterS) };
  answerPage(context.response, page, { status: problem?.status ?? 200, leadsAway, fields });
}

/** Takes the form of the sign-in page. */
export async function takeSignIn(
  context: InteractionContext,
  form: URLSearchParams,
  parts: SignInParts,
): Promise<void> {
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  if (!context.target.policy.passwordSignIn) {
    showSignIn(context, { status: 403, text: 'Passwords are not taken here. Use the button.' });
    return;
  }
  if (email === '' || email.length > 320 || password === '') {
    showSignIn(context, {
      status: 400,
      text: 'Enter your e-mail address and your password.',
      email: email.slice(0, 320),
    });
    return;
  }
  const outcome = await attempt(context, { email, password }, parts);
  if (outcome === 'busy')
    showSignIn(context, { status: 503, text: 'Many people are signing in. Try again in a moment.', email });
  else if (outcome.type === 'throttled') showSignIn(context, throttled(outcome.retryAfterS, email));
  else if (outcome.type === 'refused' || !accountFits(outcome.account, context.target)) {
    showSignIn(context, { status: 401, text: REFUSED, email });
  } else {
    const mark = parts.browsers.mark(email, cookieOf(context.request, KNOWN_BROWSER_COOKIE));
    setCookie(context, KNOWN_BROWSER_COOKIE, mark, { path: '/interaction', maxAgeS: KNOWN_BROWSER_LIFE_S });
    await finishSignIn(context, outcome.account.id);
  }
}

/**
 * Goes on with this account; whoever was signed in before is not any more. The browser tells who that is, and not the
 * interaction: they may have signed in at another page since it began.
 */
export async function finishSignIn(context: InteractionContext, accountId: string): Promise<void> {
  const { issuer, interaction, request, response } = context;
  const { accountId: before } = await sessionOf(context);
  if (before !== undefined && before !== accountId) await signOut(context);
  const selected = interaction.prompt.name === 'select_account' ? { select_account: {} } : {};
  await issuer.provider.interactionFinished(request, response, { ...selected, login: { accountId, remember: true } });
}

/** Ends the session of the browser, and takes it out of the interaction. */
export async function signOut(context: InteractionContext): Promise<void> {
  const { interaction } = context;
  const session = await sessionOf(context);
  await session.destroy();
  delete interaction.session;
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1_000));
}

/** The session that the browser's cookie names; a new one when it names none. */
function sessionOf({ issuer: { provider }, request, response }: InteractionContext): Promise<Session> {
  return provider.Session.get(provider.createContext(request, response));
}

async function attempt(
  { request, address }: InteractionContext,
  { email, password }: { readonly email: string; readonly password: string },
  { signIn, browsers }: SignInParts,
): Promise<SignInOutcome | 'busy'> {
  const isKnownBrowser = browsers.isKnown(email, cookieOf(request, KNOWN_BROWSER_COOKIE));
  try {
    return await signIn.attempt({ login: email, password, address, isKnownBrowser });
  } catch (error) {
    if (error instanceof TooBusyError) return 'busy';
    throw error;
  }
}

function throttled(retryAfterS: number, email: string): SignInProblem {
  const text = `There were too many attempts. Try again in ${Math.ceil(retryAfterS / 60)} minutes.`;
  return { status: 429, text, email, retryAfterS };
}

function loginHint({ interaction }: InteractionContext): string | undefined {
  const { login_hint: hint } = interaction.params;
  return typeof hint === 'string' && hint.includes('@') && hint.length <= 320 ? hint : undefined;
}
