/** A request to another service. */
export interface OutboundRequest {
  readonly method: string;
  /** Scheme, host and port, such as `https://api.example.com`. */
  readonly origin: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface OutboundLimits {
  /** The largest body, in bytes, packed and unpacked. */
  readonly maxBytes: number;
  /** How many redirects are followed; with 0 a redirect is the response. */
  readonly redirects: number;
  /** Told of bytes before they are kept; what it throws ends the request. */
  readonly take?: (bytes: number) => void;
  /** Ends the request; its reason is what the request is rejected with. */
  readonly signal: AbortSignal;
}

/** Header fields of a response, by name in lower case. */
export type ResponseFields = Readonly<Record<string, string | undefined>>;

/** A response that has been read whole, and unpacked. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: ResponseFields;
  readonly body: Buffer;
  /** What was asked for in the end, after redirects. */
  readonly request: OutboundRequest;
}
