/**
 * A fact that listeners may want to hear. It carries the tenant, always; what a listener is told is decided where it is
 * connected.
 * - `catalogue`: what the tenant's catalogue is made from is at this revision now.
 * - `resource`: the contents behind a URI have changed.
 * - `revocation`: tokens must not be believed any more; `subject` is what the store of revocations calls so.
 */
export type Change =
  | { readonly type: 'catalogue'; readonly tenantId: string; readonly slug: string; readonly revision: number }
  | { readonly type: 'resource'; readonly tenantId: string; readonly uri: string }
  | { readonly type: 'revocation'; readonly tenantId: string; readonly subject: string };
