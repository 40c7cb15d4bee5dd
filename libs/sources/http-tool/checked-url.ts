import { DefinitionError } from '#catalogue/definition-error.js';
import { UnreachableHostError } from '#outbound/guarded-lookup.js';
import type { OutboundClient } from '#outbound/outbound-client.js';

/**
 * A URL that may be called, as far as that can be told without asking name servers.
 * @throws DefinitionError
 */
export function checkedUrl(text: string, pointer: string, outbound: Pick<OutboundClient, 'check'>): URL {
  if (!URL.canParse(text))
    throw new DefinitionError(pointer, 'this is not an absolute URL.', 'Write it like https://api.example.com/.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new DefinitionError(pointer, 'the URL holds a user or a password.', 'Put them into /credentials.');
  try {
    outbound.check(url);
  } catch (error) {
    if (!(error instanceof UnreachableHostError)) throw error;
    throw forbidden(url, pointer);
  }
  return url;
}

/** The fault of a URL that may not be called. */
export function forbidden({ protocol }: URL, pointer: string): DefinitionError {
  return protocol === 'https:'
    ? new DefinitionError(
        pointer,
        'the host is at no address that may be called.',
        'Use a public one, or have the operator add its network to OUTBOUND_ALLOW.',
      )
    : new DefinitionError(
        pointer,
        `${protocol} is only for networks that the operator allowed.`,
        'Use https: for a public service; for a private one, have the operator add its network to OUTBOUND_ALLOW.',
      );
}
