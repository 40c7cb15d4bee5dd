/** A secret as it is kept: sealed. */
export interface SealedSecret {
  readonly name: string;
  readonly sealed: string;
}

/** Where the sealed secrets of tenants are. */
export abstract class SecretStore {
  abstract find(tenantId: string, name: string): Promise<SealedSecret | undefined>;
}
