interface Recent {
  readonly authorization: string;
  readonly place: string;
  readonly tenantId: string;
  readonly digest: string;
}

/**
 * The digest of the token that each connection brought last: the next request on it mostly brings the same, and to
 * compare is cheaper than to hash. It says nothing about whether the token is good. Gone with the connection.
 */
export class RecentTokens {
  private readonly byConnection = new WeakMap<object, Recent>();

  /** Undefined when the connection brought another last, or none. @param place the resource that is called */
  digestOf(connection: object, tenantId: string, place: string, authorization: string | undefined): string | undefined {
    const recent = this.byConnection.get(connection);
    const same = recent?.authorization === authorization && recent?.place === place && recent.tenantId === tenantId;
    return same ? recent.digest : undefined;
  }

  keep(connection: object, recent: Recent): void {
    this.byConnection.set(connection, recent);
  }
}
