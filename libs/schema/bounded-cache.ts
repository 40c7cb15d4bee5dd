interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** Keeps what was used most recently, up to a number of entries and a total weight. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private weight = 0;

  constructor(private readonly limits: { readonly entries: number; readonly weight: number }) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.remove(key);
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.limits.entries && this.weight <= this.limits.weight) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
