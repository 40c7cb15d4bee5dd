/** Protocol revisions served statelessly, newest first (specification: basic/versioning). */
export const SERVED_REVISIONS = ['2026-07-28'] as const;

export type ServedRevision = (typeof SERVED_REVISIONS)[number];

export function isServedRevision(version: string): version is ServedRevision {
  return (SERVED_REVISIONS as readonly string[]).includes(version);
}
