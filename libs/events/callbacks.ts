/** Callbacks of one process, called in turn. */
export class Callbacks<A extends readonly unknown[]> {
  private readonly callbacks = new Set<(...values: A) => void>();

  /** @param onFailure told when a callback throws; the others are called all the same */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  /** Returns how to take it away. */
  add(callback: (...values: A) => void): () => void {
    this.callbacks.add(callback);
    return () => this.callbacks.delete(callback);
  }

  call(...values: A): void {
    for (const callback of this.callbacks) {
      try {
        callback(...values);
      } catch (error) {
        this.onFailure(error);
      }
    }
  }
}
