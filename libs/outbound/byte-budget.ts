/** So much is read from services just now that no more may be held. */
export class BusyReadingError extends Error {
  constructor() {
    super('Too much is read from services at once.');
    this.name = 'BusyReadingError';
  }
}

/** What one call holds. */
export interface Holding {
  /** @throws BusyReadingError when so many bytes more are too many */
  readonly take: (bytes: number) => void;
  /** Gives everything back; nothing can be taken any more. */
  readonly release: () => void;
}

/** Bounds the bytes of responses that are held at a time, of all holders together and of each, so that one leaves room. */
export class ByteBudget {
  private held = 0;
  private readonly byHolder = new Map<string, number>();

  /** Both in bytes. */
  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  open(holder: string): Holding {
    let taken = 0;
    let isOver = false;
    return {
      take: (bytes) => {
        if (isOver) throw new BusyReadingError(); // nobody would give these back
        this.add(holder, bytes);
        taken += bytes;
      },
      release: () => {
        isOver = true;
        this.add(holder, -taken);
        taken = 0;
      },
    };
  }

  private add(holder: string, bytes: number): void {
    const ofOne = (this.byHolder.get(holder) ?? 0) + bytes;
    if (bytes > 0 && (ofOne > this.mostOfOne || this.held + bytes > this.most)) throw new BusyReadingError();
    this.held += bytes;
    if (ofOne === 0) this.byHolder.delete(holder);
    else this.byHolder.set(holder, ofOne);
  }
}
