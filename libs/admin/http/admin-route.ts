import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { AdminCaller } from '../access/admin-caller.js';
import type { AdminArea, AdminScope } from '../access/admin-scopes.js';
import type { ChangeTerms } from '../changes/change-terms.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { PageTerms } from '../stores/page.js';
import type { Answer } from './answer.js';

/** Where the admin API is. */
export const ADMIN_PREFIX = '/admin/v1';

/** A request that was read, checked and permitted. */
export interface AdminRequest<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Under which conditions to change what. */
  readonly terms: ChangeTerms;
  /** Which part of a list is asked for: one item more than is shown. */
  readonly page: PageTerms;
  readonly headers: IncomingHttpHeaders;
  /** The client's network address. */
  readonly address: string;
  /** Answers with a page of a list. @param keyOf what items are ordered by */
  readonly list: <T>(rows: readonly T[], keyOf: (row: T) => string, show: (row: T) => object) => Answer;
}

/** A request from whoever: an admin, or a system that signs what it sends. */
export interface SignedRequest extends AdminRequest<{ readonly slug: string }> {
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
  /** Whether it came with a key or token that permits it: then it needs no signature. */
  readonly isAdmin: boolean;
}

export interface CalledRequest<P, Q, B> extends AdminRequest<P, Q, B> {
  readonly caller: AdminCaller;
}

export interface TenantRequest<P, Q, B> extends CalledRequest<P, Q, B> {
  /** The tenant that the path names: it is there, for this caller. */
  readonly tenant: AdminTenant;
}

/** What a route answers when all is well. */
export interface Outcome {
  readonly status: 200 | 201 | 204;
  readonly schema?: z.ZodType;
}

/** What is declared of a route; from it requests are checked, and the OpenAPI document is made. */
interface Declaration<P, Q extends z.ZodRawShape, B> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/admin/v1`; `:name` stands for what is in `params`. */
  readonly path: string;
  readonly area: AdminArea | 'session';
  /** What it does, in a few words. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType<P>;
  /** Besides `dryRun`, `limit` and `cursor`. */
  readonly query?: Q;
  readonly body?: z.ZodType<B>;
  readonly outcome: Outcome;
  /** Whether it answers with a list, a page at a time. */
  readonly isPaged?: boolean;
  /** Whether it makes what is not there, when `If-None-Match: *` says so. */
  readonly makes?: boolean;
  /** Whether it takes neither `dryRun` nor `Idempotency-Key`. */
  readonly isPlain?: boolean;
  /** Whether the body is handed over as the bytes that were sent; `body` is for the document alone then. */
  readonly takesBytes?: boolean;
}

/** Who may use a route: everybody, everybody with a key, operators, who has the scope, or also who signs the request. */
export type Permission =
  | { readonly to: 'public' }
  | { readonly to: 'callers'; readonly scope?: AdminScope }
  | { readonly to: 'operators'; readonly scope: AdminScope }
  | { readonly to: 'tenant'; readonly scope: AdminScope }
  | { readonly to: 'signers'; readonly scope: AdminScope };

/** A route of the admin API. */
export interface AdminRoute extends Declaration<unknown, z.ZodRawShape, unknown> {
  readonly permission: Permission;
  run(request: AdminRequest, caller: AdminCaller | undefined, tenant: AdminTenant | undefined): Promise<Answer>;
}

type Run<R> = { run(request: R): Promise<Answer> };
type Shape<Q extends z.ZodRawShape> = z.output<z.ZodObject<Q>>;

/** A route that wants no key. */
export function publicRoute<P, Q extends z.ZodRawShape, B>(
  route: Declaration<P, Q, B> & Run<AdminRequest<P, Shape<Q>, B>>,
): AdminRoute {
  return erase(route, { to: 'public' }, (request) => route.run(request as AdminRequest<P, Shape<Q>, B>));
}

/** A route about the caller or the platform. */
export function callerRoute<P, Q extends z.ZodRawShape, B>(
  route: Declaration<P, Q, B> & Run<CalledRequest<P, Shape<Q>, B>> & { readonly permission: Permission },
): AdminRoute {
  return erase(route, route.permission, (request, caller) =>
    route.run({ ...request, caller } as CalledRequest<P, Shape<Q>, B>),
  );
}

/** A route below `/tenants/:slug`. To whom the tenant does not exist it answers 404. */
export function tenantRoute<P, Q extends z.ZodRawShape, B>(
  route: Declaration<P, Q, B> & Run<TenantRequest<P, Shape<Q>, B>> & { readonly scope: AdminScope },
): AdminRoute {
  return erase(route, { to: 'tenant', scope: route.scope }, (request, caller, tenant) =>
    route.run({ ...request, caller, tenant } as TenantRequest<P, Shape<Q>, B>),
  );
}

/** A route below `/tenants/:slug` that takes signed requests too. The signature is for the route to check. */
export function signedRoute<B>(
  route: Declaration<{ slug: string }, z.ZodRawShape, B> & Run<SignedRequest> & { readonly scope: AdminScope },
): AdminRoute {
  const declared = { ...route, takesBytes: true, isPlain: true };
  return erase(declared, { to: 'signers', scope: route.scope }, (request, caller) => {
    const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    return route.run({ ...request, bytes, isAdmin: caller !== undefined } as SignedRequest);
  });
}

function erase(declaration: object, permission: Permission, run: AdminRoute['run']): AdminRoute {
  return { ...(declaration as Omit<AdminRoute, 'permission' | 'run'>), permission, run };
}
