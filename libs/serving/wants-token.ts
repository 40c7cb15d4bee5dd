import { andThen } from '#protocol/and-then.js';
import type { Stages } from './stages.js';

/** Whether the tenant lets nobody in without a token. False for a tenant that is open, not there, or cannot be read. */
export function wantsToken(stages: Stages, slug: string): boolean | Promise<boolean> {
  const found = stages.tenants.peek(slug) ?? stages.tenants.find(slug);
  const wants = andThen(found, (catalogue) => catalogue !== undefined && catalogue.tenant.access !== 'open');
  if (!(wants instanceof Promise)) return wants;
  return wants.catch((error: unknown) => {
    stages.onFailure(error);
    return false;
  });
}
