import { issueAdminKey } from '#admin/access/admin-keys.js';
import type { AdminScope } from '#admin/access/admin-scopes.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import type { RunningServer } from './running-server.js';

/** What the admin API answered. */
export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly etag: string;
  /** The JSON document; undefined where there is none. */
  readonly body: any;
}

export type AdminCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<AdminAnswer>;

/** Calls the admin API as a script with a key does. @param key none: without one */
export function adminClient(origin: string, key?: string): AdminCall {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${origin}/admin/v1${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers: fields } = response;
    return {
      status,
      headers: fields,
      etag: fields.get('etag') ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}

/** Issues a key on the database, as `manage key issue` does. @param slug its tenant; an operator's without one */
export async function issueKey(
  { server }: RunningServer,
  slug?: string,
  scopes: readonly AdminScope[] = ['*'],
): Promise<string> {
  const { rows } = server.app.get(AdminStore);
  const tenantId = slug === undefined ? null : (await rows.tenants.find(slug))!.id;
  const request = { tenantId, accountId: null, name: 'test', scopes, createdBy: 'test', expiresAt: null };
  return (await issueAdminKey(rows.keys, request)).key;
}
