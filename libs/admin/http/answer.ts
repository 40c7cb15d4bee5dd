/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  /** A JSON document; none with 204. */
  readonly body?: object;
  /** The validator of what `body` represents (RFC 9110 section 8.8.3). */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
