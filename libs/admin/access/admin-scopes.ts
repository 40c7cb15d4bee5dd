/** What admin scopes are about, and what for. */
export const ADMIN_AREAS = {
  tenants: 'settings, access policy, scopes, roles and modules of a tenant; for operators also making tenants',
  sources: 'what was registered at run time, and notices that a resource has changed',
  secrets: 'the names of secrets; values can be set and never be read',
  members: 'people and their roles',
  clients: 'OAuth clients of a tenant',
  tokens: 'static tokens of a tenant',
  keys: 'keys to the admin API',
  activity: 'open listeners and the history of changes',
} as const;

export type AdminArea = keyof typeof ADMIN_AREAS;

/** `read` or `write` of one area, or everything. Who may write may read. */
export type AdminScope = '*' | `${AdminArea}:${'read' | 'write'}`;

/** Every scope that can be given. */
export const ADMIN_SCOPES: readonly AdminScope[] = [
  '*',
  ...(Object.keys(ADMIN_AREAS) as AdminArea[]).flatMap((area): readonly AdminScope[] =>
    area === 'activity' ? [`${area}:read`] : [`${area}:read`, `${area}:write`],
  ),
];

/** Whether these scopes permit what needs that one. */
export function permits(scopes: readonly AdminScope[], needed: AdminScope): boolean {
  if (scopes.includes('*') || scopes.includes(needed)) return true;
  const [area, verb] = needed.split(':');
  return verb === 'read' && scopes.includes(`${area as AdminArea}:write`);
}
