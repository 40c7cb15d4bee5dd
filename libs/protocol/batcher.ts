interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Does together what is asked for while the last is still being done: one run at a time, of all that came meanwhile. */
export class Batcher<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running = false;

  /**
   * @param run gives one result an item, in their order; when it rejects, all of its items fail
   * @param most how many items one run is given
   */
  constructor(
    private readonly run: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly most: number,
  ) {}

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.running) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.running = true;
    await Promise.resolve(); // what is asked for in one turn goes together
    while (this.waiting.length > 0) await this.runSome(this.waiting.splice(0, this.most));
    this.running = false;
  }

  private async runSome(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
