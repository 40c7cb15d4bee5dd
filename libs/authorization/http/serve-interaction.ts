import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from 'oidc-provider';
import type { Issuer } from '../provider/open-provider.js';
import { answerMessage } from './answers.js';
import { refuse, showConsent, showNoAccess, takeConsent } from './consent-pages.js';
import {
  type ContextParts,
  type InteractionContext,
  InteractionGoneError,
  isCsrfToken,
  openInteraction,
} from './interaction-context.js';
import { showSignIn, signOut, type SignInParts, takeSignIn } from './sign-in-pages.js';
import type { UpstreamSignIn } from '../upstream/upstream-sign-in.js';
import type { RouteName } from './routes.js';

export interface InteractionParts extends ContextParts, SignInParts {
  readonly upstream: UpstreamSignIn;
}

export interface InteractionRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly origin: string;
  readonly address: string;
  readonly issuer: Issuer;
  readonly name: RouteName;
  readonly uid: string;
  /** The posted form; undefined for GET. */
  readonly form: URLSearchParams | undefined;
}

/** The pages on which a person signs in and decides. */
export async function serveInteraction(arrived: InteractionRequest, parts: InteractionParts): Promise<void> {
  const { response, form } = arrived;
  if (form && !isOwnForm(arrived, parts)) {
    answerMessage(response, 403, STRAY_FORM);
    return;
  }
  try {
    await dispatch(await openInteraction(arrived, parts), arrived, parts);
  } catch (error) {
    // gone meanwhile, too: the form was sent twice, or a revocation took the interaction along
    if (!(error instanceof InteractionGoneError || error instanceof errors.SessionNotFound)) throw error;
    answerMessage(response, 400, GONE);
  }
}

async function dispatch(
  context: InteractionContext,
  { name, form }: InteractionRequest,
  parts: InteractionParts,
): Promise<void> {
  switch (name) {
    case 'sign_in':
      return takeSignIn(context, form ?? new URLSearchParams(), parts);
    case 'cancel':
      return refuse(context);
    case 'switch':
      await signOut(context);
      showSignIn(context);
      return;
    case 'upstream':
      return parts.upstream.begin(context);
    case 'upstream_finish':
      return parts.upstream.finish(context);
    default:
      return decide(context, form, parts);
  }
}

/** Signs in who has to, and asks who is in. */
async function decide(
  context: InteractionContext,
  form: URLSearchParams | undefined,
  parts: InteractionParts,
): Promise<void> {
  const { account, target } = context;
  if (!account) showSignIn(context);
  else if ((await context.issuer.rules.roleAt(target, account.id)) === undefined) showNoAccess(context, account);
  else if (form) await takeConsent(context, account, form, parts.stores);
  else await showConsent(context, account, parts.stores);
}

/** A form must come from our own page, for this interaction. */
function isOwnForm({ request, origin, uid, form }: InteractionRequest, { csrfKeys }: ContextParts): boolean {
  const { origin: from } = request.headers;
  return (from === undefined || from === origin) && isCsrfToken(csrfKeys, uid, form?.get('csrf') ?? null);
}

const GONE = {
  title: 'This page is no longer good',
  message: 'It was open for too long, was used already, or belongs to another browser.',
  hint: 'Go back to the application and connect again.',
  tone: 'error',
} as const;

const STRAY_FORM = {
  title: 'This form did not come from here',
  message: 'Nothing was changed.',
  hint: 'Go back to the application and connect again.',
  tone: 'error',
} as const;
