import { z } from 'zod';
import type { AdminRoute } from './admin-route.js';

/** Items on one page, unless another number is asked for. */
export const PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;

/** Reads `true` and `false`. */
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

const limit = z
  .string()
  .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${MAX_PAGE_SIZE}`)
  .transform(Number)
  .refine((value) => value >= 1 && value <= MAX_PAGE_SIZE, `must be a whole number from 1 to ${MAX_PAGE_SIZE}`);

/** Whether the route changes anything, and so can be rehearsed. */
export function isChange({ method, isPlain }: Pick<AdminRoute, 'method' | 'isPlain'>): boolean {
  return method !== 'GET' && isPlain !== true;
}

/** Every query parameter of a route. What is not known is refused: a `dryrun` must not change anything. */
export function querySchema(route: AdminRoute): z.ZodObject {
  return z.strictObject({
    ...route.query,
    ...(route.isPaged && { limit: limit.optional(), cursor: z.string().optional() }),
    ...(isChange(route) && { dryRun: flag.optional() }),
  });
}
