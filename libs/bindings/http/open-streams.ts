import { SSE_KEEP_ALIVE } from '../sse.js';

interface Stream {
  keepAlive(comment: string): void;
}

/** Every open SSE stream of this process, kept alive by one timer for all. */
export class OpenStreams {
  private readonly streams = new Set<Stream>();
  private readonly timer: NodeJS.Timeout;

  /** @param intervalMs how often a comment is sent, in milliseconds */
  constructor(intervalMs: number) {
    this.timer = setInterval(() => {
      for (const stream of this.streams) stream.keepAlive(SSE_KEEP_ALIVE);
    }, intervalMs);
    this.timer.unref();
  }

  add(stream: Stream): void {
    this.streams.add(stream);
  }

  delete(stream: Stream): void {
    this.streams.delete(stream);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
