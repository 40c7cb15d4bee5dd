/** The roles whose holders are admins of a tenant. */
export const ADMIN_ROLES: ReadonlySet<string> = new Set(['owner', 'admin']);
