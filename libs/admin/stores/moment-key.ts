const SEPARATOR = ' ';

/** What orders rows by when they were made, and by their ids where that is the same. */
export interface MomentKey {
  readonly at: Date;
  readonly id: string;
}

export function momentKey({ at, id }: MomentKey): string {
  return `${at.toISOString()}${SEPARATOR}${id}`;
}

export function readMomentKey(key: string): MomentKey {
  const [at = '', id = ''] = key.split(SEPARATOR);
  return { at: new Date(at), id };
}
