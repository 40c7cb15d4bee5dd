/** Who is calling. A tenant that allows it is called by an anonymous principal, which is a principal too. */
export interface Principal {
  readonly tenantId: string;
  /** Unique among the principals of the tenant; `anonymous` when nobody has signed in. */
  readonly subject: string;
  /** The OAuth client that acts for the subject. */
  readonly clientId: string | undefined;
  readonly scopes: ReadonlySet<string>;
}
