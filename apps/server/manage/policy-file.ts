import { z } from 'zod';
import { checkPolicySecret, PolicySecretError, sealPolicySecret } from '#authorization/upstream/policy-secret.js';
import { isJsonObject } from '#protocol/json.js';
import { type AccessPolicy, readNewAccessPolicy } from '#tenancy/access-policy.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import { type ManageContext, ManageError } from './context.js';
import { nearest } from './nearest.js';

/**
 * The access policy in a file. A `clientSecret` in it is sealed; what is kept, and printed, is the sealed one.
 * @throws ManageError
 */
export async function readPolicyFile(
  context: ManageContext,
  tenant: TenantRecord,
  file: string,
): Promise<AccessPolicy> {
  const given = parse(await read(context, file), file);
  try {
    const policy = readNewAccessPolicy(sealPolicySecret(given, context.keys, tenant.id), sayUnknown);
    checkPolicySecret(policy, context.keys, tenant.id);
    return policy;
  } catch (error) {
    if (error instanceof PolicySecretError) throw new ManageError(error.message);
    if (error instanceof z.ZodError) throw new ManageError(`${file} is no access policy:\n${z.prettifyError(error)}`);
    throw error;
  }
}

async function read(context: ManageContext, file: string): Promise<string> {
  try {
    return await context.readFile(file);
  } catch (error) {
    const { code = 'for a reason that is not known' } = error as NodeJS.ErrnoException;
    throw new ManageError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
}

function parse(text: string, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ManageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (isJsonObject(value)) return value;
  throw new ManageError(`${file} is no access policy: it must hold a JSON object.`);
}

function sayUnknown(unknown: readonly string[], known: readonly string[]): string {
  const each = unknown.map((name) => {
    const meant = nearest(name, known);
    return `there is no member "${name}" here${meant === undefined ? '' : `: did you mean "${meant}"?`}`;
  });
  return `${each.join('; ')} (members: ${known.join(', ')})`;
}
