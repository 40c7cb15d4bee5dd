import type { AccessTokenStrategy } from '#access/access-token.strategy.js';
import { AccessGate } from '#access/access-gate.js';
import { EmbeddedTokens } from '#access/embedded-tokens.js';
import { ExternalIssuers } from '#access/external-issuers.js';
import { ExternalTokens } from '#access/external-tokens.js';
import type { KeySource } from '#access/key-source.js';
import { RememberingKeys } from '#access/remembering-keys.js';
import type { RevocationStore } from '#access/revocation.store.js';
import type { StaticTokens } from '#access/static-tokens.js';
import type { GuardedFetch } from '#outbound/guarded-fetch.js';
import type { Logger } from '#telemetry/logger.js';

export interface AccessParts {
  readonly strategy: AccessTokenStrategy;
  readonly embeddedKeys: KeySource;
  readonly revocations: RevocationStore;
  readonly staticTokens: StaticTokens;
  readonly fetch: GuardedFetch;
  readonly tokensInMemory: number;
  readonly logger: Logger;
}

/** Puts together who looks at which tokens. */
export function createGate({ strategy, logger, ...parts }: AccessParts): AccessGate {
  const onFailure = (error: unknown): void => logger.error({ err: error }, 'An access token could not be checked');
  const issuers = new ExternalIssuers(parts.fetch, (error) =>
    logger.warn({ err: error }, 'The keys of an external issuer could not be fetched; those at hand go on'),
  );
  return new AccessGate(
    {
      embedded: new EmbeddedTokens(strategy, new RememberingKeys(parts.embeddedKeys), parts.revocations),
      external: new ExternalTokens(strategy, issuers),
      issuedByAdmin: parts.staticTokens,
    },
    { tokensInMemory: parts.tokensInMemory, onFailure },
  );
}
