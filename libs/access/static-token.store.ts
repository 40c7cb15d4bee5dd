/** A static token as its tenant's admin sees it: never the token. */
export interface StaticTokenRecord {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** Null when it holds until it is revoked. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface NewStaticToken {
  readonly tenantId: string;
  readonly name: string;
  /** base64url of the token's SHA-256. */
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

/** Static tokens, by the hashes of them. */
export abstract class StaticTokenStore {
  abstract create(token: NewStaticToken): Promise<StaticTokenRecord>;

  /** The tenant's token with this hash, revoked and expired ones too; undefined when it has none. */
  abstract findByHash(tenantId: string, hash: string): Promise<StaticTokenRecord | undefined>;

  /** The tenant's tokens, the newest first; 1,000 at most. */
  abstract list(tenantId: string): Promise<readonly StaticTokenRecord[]>;

  /** Revokes it, and writes the revocation `static:ID`, in one transaction. False when there is no such token. */
  abstract revoke(tenantId: string, id: string): Promise<boolean>;
}
