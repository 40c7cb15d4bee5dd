import { z } from 'zod';

/** The schema of an object that has these members and no others; a fault in it names those that there are. */
export function strictObject<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `Its members are: ${known}.` : undefined),
  });
}
