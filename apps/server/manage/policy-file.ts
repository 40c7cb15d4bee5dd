import { z } from 'zod';
import { secretBinding } from '#authorization/upstream/upstream-providers.js';
import { isJsonObject } from '#protocol/json.js';
import { openText, sealText } from '#protocol/sealed-text.js';
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
    const policy = readNewAccessPolicy(sealSecret(given, context, tenant.id), sayUnknown);
    checkSecret(policy, context, tenant.id);
    return policy;
  } catch (error) {
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

function sealSecret(policy: Record<string, unknown>, { keys }: ManageContext, tenantId: string): object {
  if (!isJsonObject(policy['upstreamProvider'])) return policy;
  const { clientSecret, ...provider } = policy['upstreamProvider'];
  if (clientSecret === undefined) return policy;
  if (typeof clientSecret !== 'string' || clientSecret === '') throw new ManageError('clientSecret must be a text.');
  const sealedSecret = sealText(keys.derive('upstream secret'), clientSecret, secretBinding(tenantId));
  return { ...policy, upstreamProvider: { ...provider, sealedSecret } };
}

/** A sealed secret of another tenant, or of another secret key, would be found out by the first who signs in. */
function checkSecret({ upstreamProvider }: AccessPolicy, { keys }: ManageContext, tenantId: string): void {
  const sealed = upstreamProvider?.sealedSecret;
  if (sealed === undefined || openText(keys.derive('upstream secret'), sealed, secretBinding(tenantId)) !== undefined)
    return;
  throw new ManageError(
    'The sealedSecret was not sealed for this tenant with this SECRET_KEY: write clientSecret instead.',
  );
}

function sayUnknown(unknown: readonly string[], known: readonly string[]): string {
  const each = unknown.map((name) => {
    const meant = nearest(name, known);
    return `there is no member "${name}" here${meant === undefined ? '' : `: did you mean "${meant}"?`}`;
  });
  return `${each.join('; ')} (members: ${known.join(', ')})`;
}
