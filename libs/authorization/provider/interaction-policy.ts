import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { AccountRules } from './account-rules.js';

const { Check, Prompt, base } = interactionPolicy;

/**
 * When a person is asked: to sign in, when nobody is or who is does not fit the tenant; to consent, when something asked
 * for was not allowed yet, when the answer goes to a place that any application of the computer can be (RFC 8252
 * section 8.6), and when the person is no member, who is told so there.
 */
export function interactionPolicyFor(rules: AccountRules): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  policy.get('login')?.checks.add(
    new Check('account_does_not_fit', 'the account is not one of this server', 'login_required', async (ctx) => {
      const { oidc } = ctx;
      if (oidc.session?.accountId === undefined) return Check.NO_NEED_TO_PROMPT;
      return (await rules.fits(ctx)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );
  const consent = policy.get('consent');
  consent?.checks.remove('native_client_prompt');
  consent?.checks.add(
    new Check(
      'redirect_unverified',
      'the redirect URI may be anybody’s on this computer',
      'interaction_required',
      (ctx) => (ctx.oidc.result?.consent || redirectsToWeb(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT),
    ),
  );
  consent?.checks.add(
    new Check('not_a_member', 'the account is no member of this server', async (ctx) =>
      (await rules.isMember(ctx)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  );
  return policy;
}

function redirectsToWeb({ oidc }: KoaContextWithOIDC): boolean {
  const uri = oidc.params?.['redirect_uri'];
  return typeof uri === 'string' && uri.startsWith('https://');
}
