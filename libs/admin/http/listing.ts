import { z } from 'zod';

/** A page of a list. */
export function listing<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    next: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
  });
}
