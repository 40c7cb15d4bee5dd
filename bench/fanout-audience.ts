import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';

/** What every notification of a changed list of tools holds. */
const TOLD = 'notifications/tools/list_changed';
const LIMIT_MS = 20_000;

/** Open listen streams, and when the last of them hears of a change. */
export class Audience {
  private waiting = new Set<Socket>();
  private heard: ((at: number) => void) | undefined;
  /** How many notifications came that nobody waited for. */
  private surplus = 0;

  constructor(private readonly sockets: readonly Socket[]) {
    for (const socket of sockets) socket.on('data', (chunk: Buffer) => this.take(socket, chunk));
  }

  /**
   * Makes the change; resolves with the milliseconds until the last stream has heard of it.
   * @throws Error when one does not hear of it, or hears of it twice
   */
  async timeUntilHeard(change: () => Promise<unknown>): Promise<number> {
    this.waiting = new Set(this.sockets);
    const allHeard = new Promise<number>((resolve) => (this.heard = resolve));
    const begun = performance.now();
    const limit = AbortSignal.timeout(LIMIT_MS);
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener('abort', () => reject(new Error(`${this.waiting.size} streams heard nothing.`)));
    });
    const [at] = await Promise.race([Promise.all([allHeard, change()]), late]);
    if (this.surplus > 0) throw new Error(`${this.surplus} notifications came twice.`);
    return at - begun;
  }

  private take(socket: Socket, chunk: Buffer): void {
    if (!chunk.includes(TOLD)) return;
    if (!this.waiting.delete(socket)) this.surplus += 1;
    if (this.waiting.size === 0) this.heard?.(performance.now());
  }
}
