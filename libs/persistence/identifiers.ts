const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a `uuid` column can hold it. Ids come from addresses and tokens: what is none is not there, and no failure. */
export function isUuid(id: string): boolean {
  return UUID.test(id);
}

/** Whether a `text` column can hold it: Postgres refuses U+0000, in what it looks up too. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
