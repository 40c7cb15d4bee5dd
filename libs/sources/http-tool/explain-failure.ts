import { ShownError } from '#authoring/shown-error.js';
import { BusyReadingError } from '#outbound/byte-budget.js';
import { BrokenCircuitError } from '#outbound/circuit-breaker.js';
import { QueueFullError } from '#outbound/concurrency-limit.js';
import { codeOf } from '#outbound/error-code.js';
import { UnreachableHostError } from '#outbound/guarded-lookup.js';
import { TooLargeError } from '#outbound/read-within.js';
import { RedirectError } from '#outbound/redirects.js';
import { PackingError } from '#outbound/unpack.js';

/**
 * What the model is told when there is no response. Names no address: a redirect may have led anywhere.
 * @param what the service is behind
 */
export function explainFailure(error: unknown, what: 'tool' | 'resource'): Error {
  if (error instanceof ShownError) return error;
  if (error instanceof BrokenCircuitError) {
    const seconds = Math.ceil(error.waitMs / 1_000);
    return new ShownError(
      `The service behind this ${what} has failed too often and is left alone for now. Try again in ${Math.max(seconds, 1)} s.`,
    );
  }
  if (error instanceof QueueFullError)
    return new ShownError(`Too many calls of this ${what} are under way. Try again in a moment.`);
  if (error instanceof BusyReadingError)
    return new ShownError(`${error.message} Ask for less, or try again in a moment.`);
  if (error instanceof UnreachableHostError)
    return new ShownError(`The service behind this ${what} is at no address that may be called.`, { cause: error });
  if (error instanceof TooLargeError) return new ShownError(`${error.message} Ask for less at once.`, { cause: error });
  if (error instanceof RedirectError || error instanceof PackingError)
    return new ShownError(error.message, { cause: error });
  return new ShownError(`The service behind this ${what} ${reasonOf(error)}. Try again later.`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'accepts no connection',
  ECONNRESET: 'broke off the connection',
  UND_ERR_SOCKET: 'broke off the connection',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
  ETIMEDOUT: 'did not accept the connection in time',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return 'does not speak HTTP as it should';
  return REASONS[code] ?? 'cannot be reached';
}
