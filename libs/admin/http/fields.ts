import { z } from 'zod';
import type { JsonObject } from '#protocol/json.js';

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Lower case, digits and dashes: slugs, and names of modules. */
export const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower case letters, digits and dashes, 63 at most');

/** What sources and secrets are called. A path that ends in `.` or `..` leads elsewhere (RFC 3986 section 5.2.4). */
export const name = z
  .string()
  .regex(
    /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/,
    'must be 1 to 128 letters, digits, "_", "-" and ".", and not "." or ".."',
  );

/** A text that the database can keep. @param most how many characters */
export function text(most: number): z.ZodString {
  return z.string().max(most).refine(isStorable, 'must not hold U+0000 or half a surrogate pair');
}

/** A title. */
export const title = text(200).min(1);

/** A JSON object that the database can keep. @param most its size as JSON text, in characters */
export function jsonObject(most: number) {
  return z
    .record(z.string(), z.unknown())
    .refine((value) => JSON.stringify(value).length <= most, `must have ${most} characters or fewer as JSON`)
    .refine((value) => everyValue(value, isKeepable), 'must not hold U+0000, half a surrogate pair or infinite numbers')
    .transform((value) => value as JsonObject);
}

export const instant = z.iso.datetime();

/** Whether Postgres takes the text. */
function isStorable(value: string): boolean {
  return !value.includes('\0') && !LONE_SURROGATE.test(value);
}

function isKeepable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  return typeof value !== 'number' || Number.isFinite(value);
}

/** Names of members are values too. Bodies are bounded in depth before. */
function everyValue(value: unknown, test: (leaf: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return test(value);
  return Object.entries(value).every(([key, member]) => test(key) && everyValue(member, test));
}
