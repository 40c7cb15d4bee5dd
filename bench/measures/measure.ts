import type { ReadyTargets } from '../ready-targets.js';

/** What a measure found, as it stands in the JSON file. */
export interface Finding {
  readonly value: number;
  /** One value a pass; `value` is their median. */
  readonly passes: readonly number[];
  /** Whatever else explains the value. */
  readonly details: object;
  /** Cells of the table. */
  readonly summary: string;
}

export interface Effort {
  readonly passes: number;
  /** How many passes of a measure may be taken again because other processes disturbed them. */
  readonly sparePasses: number;
  readonly secondsPerLoad: number;
  readonly warmUpSeconds: number;
}

export interface Measure {
  readonly name: string;
  /** What is measured, in a few words. */
  readonly title: string;
  /** The last lines of the report are `ratio NAME VALUE`; of those measures that are not among the agreed ones, `NAME VALUE`. */
  readonly ratio: boolean;
  readonly unit: 'times' | 'KB' | 'ms';
  /** What is to be reached, when that was agreed. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  /** @throws Error when a server does not start, or does not answer as it should. */
  run(effort: Effort, targets: ReadyTargets): Promise<Finding>;
}
