import { z } from 'zod';
import { checkPolicySecret, PolicySecretError, sealPolicySecret } from '#authorization/upstream/policy-secret.js';
import type { JsonObject } from '#protocol/json.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { type AccessPolicy, readNewAccessPolicy } from '#tenancy/access-policy.js';
import { Problem } from '../http/problem.js';
import { bodyErrors } from '../http/read-values.js';

const POINTER = '/accessPolicy';

export interface PolicyPlace {
  readonly keys: KeyRing;
  readonly tenantId: string;
  /** The policy whose members stay where none are given; none for a new tenant. */
  readonly known?: AccessPolicy;
}

/**
 * The access policy that a request's body makes: members that are given replace, null takes one out.
 * @throws Problem `invalid_body`
 */
export function readPolicy(given: JsonObject, { keys, tenantId, known }: PolicyPlace): AccessPolicy {
  try {
    const members = Object.entries<unknown>({ ...known, ...sealPolicySecret(given, keys, tenantId) });
    const merged = Object.fromEntries(members.filter(([, value]) => value !== null));
    const policy = readNewAccessPolicy(merged, () => 'there is no such member here');
    if ('upstreamProvider' in given) checkPolicySecret(policy, keys, tenantId);
    return policy;
  } catch (error) {
    if (error instanceof z.ZodError) throw invalid(bodyErrors(error, POINTER));
    if (!(error instanceof PolicySecretError)) throw error;
    throw invalid([{ pointer: `${POINTER}/upstreamProvider/${error.member}`, detail: error.message }]);
  }
}

function invalid(errors: readonly { readonly pointer?: string; readonly detail: string }[]): Problem {
  return new Problem('invalid_body', 'The access policy does not fit, so nothing was changed.', { errors });
}
