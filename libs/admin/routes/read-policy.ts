import { z } from 'zod';
import { checkPolicySecret, PolicySecretError, sealPolicySecret } from '#authorization/upstream/policy-secret.js';
import type { JsonObject } from '#protocol/json.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { type AccessPolicy, readNewAccessPolicy } from '#tenancy/access-policy.js';
import { Problem } from '../http/problem.js';
import { bodyErrors } from '../http/read-values.js';

const POINTER = '/accessPolicy';

/** The access policy in a request's body. @throws Problem `invalid_body` */
export function readPolicy(given: JsonObject, keys: KeyRing, tenantId: string): AccessPolicy {
  try {
    const policy = readNewAccessPolicy(sealPolicySecret(given, keys, tenantId), () => 'there is no such member here');
    checkPolicySecret(policy, keys, tenantId);
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
