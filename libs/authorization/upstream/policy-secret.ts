import { isJsonObject } from '#protocol/json.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import type { AccessPolicy } from '#tenancy/access-policy.js';
import { secretBinding } from './upstream-providers.js';

/** The secret of an upstream provider, in an access policy that somebody writes, cannot be used. */
export class PolicySecretError extends Error {
  /** @param member of `upstreamProvider` */
  constructor(
    readonly member: 'clientSecret' | 'sealedSecret',
    message: string,
  ) {
    super(message);
    this.name = 'PolicySecretError';
  }
}

/**
 * A policy as somebody writes it, with its `clientSecret` sealed for this tenant and its issuer.
 * @throws PolicySecretError
 */
export function sealPolicySecret(
  policy: Readonly<Record<string, unknown>>,
  keys: KeyRing,
  tenantId: string,
): Readonly<Record<string, unknown>> {
  if (!isJsonObject(policy['upstreamProvider'])) return policy;
  const { clientSecret, ...provider } = policy['upstreamProvider'];
  if (clientSecret === undefined) return policy;
  if (typeof clientSecret !== 'string' || clientSecret === '')
    throw new PolicySecretError('clientSecret', 'clientSecret must be a text.');
  const issuer = String(provider['issuer']); // the policy's schema tells what it must be
  const sealedSecret = sealText(keys.derive('upstream secret'), clientSecret, secretBinding(tenantId, issuer));
  return { ...policy, upstreamProvider: { ...provider, sealedSecret } };
}

/**
 * A sealed secret of another tenant, or of another secret key, would be found out by the first who signs in; one for
 * another issuer would be told to who has no business with it.
 * @throws PolicySecretError
 */
export function checkPolicySecret({ upstreamProvider }: AccessPolicy, keys: KeyRing, tenantId: string): void {
  const { sealedSecret: sealed, issuer } = upstreamProvider ?? {};
  if (sealed === undefined) return;
  if (openText(keys.derive('upstream secret'), sealed, secretBinding(tenantId, issuer)) !== undefined) return;
  throw new PolicySecretError(
    'sealedSecret',
    'The sealedSecret was not sealed for this tenant and issuer with this SECRET_KEY: write clientSecret instead.',
  );
}
