import type { Caller } from '#access/caller.js';
import type { Credentials } from '#access/credentials.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import type { Rejection } from '#protocol/errors.js';
import type { HeaderFields } from '#protocol/envelope/mirrored-headers.js';
import type { RequestEnvelope } from '#protocol/envelope/open-envelope.js';
import type { TenantAddress } from '#tenancy/tenant-address.js';

/** One message as a binding received it. */
export interface Arrival {
  /** The tenant that the URL names, and in which form. */
  readonly address: TenantAddress;
  /** What was brought to show who calls. */
  readonly credentials: Credentials;
  /** HTTP header fields; undefined where the binding has none. */
  readonly fields: HeaderFields | undefined;
  /** The body, as text. */
  readonly body: string;
  /** What the binding found wrong with the request already. It is told after access, never before. */
  readonly refusal?: Rejection | undefined;
}

/** The way back to the client while a request runs, given by the binding. */
export interface Channel {
  /** Sends a message before the last. Does nothing once the client is gone. */
  send(text: string): void;
  /** Sends the last message of a stream that was left open, and closes it. */
  finish(text: string): void;
  /** Calls back once when the client goes away before the last message. */
  onClose(callback: () => void): void;
}

/**
 * What the binding is to do at the end of a request: write the last message, write a rejection, confirm a notification,
 * write nothing because the client is gone, or leave the stream open.
 */
export type Departure =
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'rejection'; readonly rejection: Rejection }
  | { readonly type: 'accepted' }
  | { readonly type: 'abandoned' }
  | { readonly type: 'open' };

/** A request that has passed the stages before its method. */
export interface Exchange {
  readonly address: TenantAddress;
  readonly envelope: RequestEnvelope;
  readonly fields: HeaderFields | undefined;
  readonly catalogue: Catalogue;
  readonly view: CatalogueView;
  readonly caller: Caller;
  readonly channel: Channel;
}

export function rejected(rejection: Rejection): Departure {
  return { type: 'rejection', rejection };
}
