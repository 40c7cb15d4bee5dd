import { AccessTokenStrategy } from '#access/access-token.strategy.js';
import { AccessGate } from '#access/access-gate.js';
import { EmbeddedTokens } from '#access/embedded-tokens.js';
import { ExternalIssuers } from '#access/external-issuers.js';
import { ExternalTokens } from '#access/external-tokens.js';
import { EmbeddedKeys } from '#access/key-source.js';
import { RememberingKeys } from '#access/remembering-keys.js';
import { RevocationStore } from '#access/revocation.store.js';
import { StaticTokens } from '#access/static-tokens.js';
import type { GuardedFetch } from '#outbound/guarded-fetch.js';
import type { Booted } from './booted.js';

/** Puts together who looks at which tokens. */
export function createGate({ app, environment, logger }: Booted, fetch: GuardedFetch): AccessGate {
  const strategy = app.get(AccessTokenStrategy);
  const onFailure = (error: unknown): void => logger.error({ err: error }, 'An access token could not be checked');
  const issuers = new ExternalIssuers(fetch, (error) =>
    logger.warn({ err: error }, 'The keys of an external issuer could not be fetched; those at hand go on'),
  );
  return new AccessGate(
    {
      embedded: new EmbeddedTokens(strategy, new RememberingKeys(app.get(EmbeddedKeys)), app.get(RevocationStore)),
      external: new ExternalTokens(strategy, issuers),
      issuedByAdmin: app.get(StaticTokens),
    },
    { tokensInMemory: environment.TOKENS_IN_MEMORY, onFailure },
  );
}
