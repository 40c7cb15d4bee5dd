import { keepLatest } from '#protocol/keep-latest.js';
import type { IssuerKeys } from './external-tokens.js';
import type { FetchDocument } from './issuer-discovery.js';
import { RemoteKeys } from './remote-keys.js';

/** How many issuers have their keys kept; the one not asked for lately goes first. */
const MAX_ISSUERS = 1_000;

/** The keys of all issuers that tenants name; tenants with the same issuer share them. */
export class ExternalIssuers implements IssuerKeys {
  private readonly issuers = new Map<string, RemoteKeys>();

  /** @param onFailure told when keys that are still good could not be fetched anew */
  constructor(
    private readonly fetchDocument: FetchDocument,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  of(issuer: string): RemoteKeys {
    const keys = this.issuers.get(issuer) ?? new RemoteKeys(issuer, this.fetchDocument, this.onFailure);
    keepLatest(this.issuers, issuer, keys, MAX_ISSUERS);
    return keys;
  }
}
