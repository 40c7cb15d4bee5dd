/** An answer of the admin API. */
export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Calls the admin API of a platform with a token, or with none. */
export async function callAdmin(
  origin: string,
  token: string | undefined,
  path: string,
  init: RequestInit = {},
): Promise<AdminAnswer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...authorization, ...(init.body != null && { 'content-type': 'application/json' }) };
  const response = await fetch(`${origin}/admin/v1${path}`, {
    ...init,
    headers: { ...headers, ...(init.headers as object) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
