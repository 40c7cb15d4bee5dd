/** The part of autocannon's programming interface that the benchmark uses; the package ships no types. */
declare module 'autocannon' {
  interface Request {
    readonly method: 'POST';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }

  interface Client {
    setRequests(requests: readonly Request[]): void;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly pipelining: number;
    /** Seconds; ignored when `amount` is given. */
    readonly duration?: number;
    /** How many requests to send in all. */
    readonly amount?: number;
    /** Milliseconds between samples, and so the grain at which a run ends. */
    readonly sampleInt: number;
    /** Seconds until a request counts as lost. */
    readonly timeout: number;
    /** A response body for which this is false counts as a mismatch. */
    readonly verifyBody: (body: string) => boolean;
    /** Called with each connection before it opens. */
    readonly setupClient: (client: Client) => void;
  }

  interface Result {
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly mismatches: number;
    readonly latency: { readonly p50: number; readonly p99: number };
  }

  interface Run extends PromiseLike<Result> {
    /** `start` comes once all connections are made ready, just before load. */
    on(event: 'start', listener: () => void): this;
  }

  export default function autocannon(options: Options): Run;
}
