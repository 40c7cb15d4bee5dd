/** What a revocation stops: the tokens of one tenant whose `grant` claim is `subject`. */
export interface Revocation {
  readonly tenantId: string;
  /** The id of a grant, `client:ID` for what a client got for itself, or `static:ID` for a static token. */
  readonly subject: string;
}

/** Tokens that must not be believed although they have not expired. */
export abstract class RevocationStore {
  abstract isRevoked(revocation: Revocation): Promise<boolean>;

  /** Those made within the last milliseconds, by the database's clock; 50,000 at most, the latest first. */
  abstract revokedWithin(milliseconds: number): Promise<readonly Revocation[]>;

  /** When it is revoked already, the later expiry counts. @param expiresAt when the last token that it stops has expired */
  abstract revoke(revocation: Revocation, expiresAt: Date): Promise<void>;

  /** Deletes up to 1,000 that stop nothing any more; returns how many. */
  abstract sweep(before: Date): Promise<number>;
}
