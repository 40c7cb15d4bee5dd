/** The slug of one of many like tenants. All are of one length, so that the request's size is the same for each. */
export function copyOfTenant(index: number): string {
  return `copy-${String(index).padStart(5, '0')}`;
}
