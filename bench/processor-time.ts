import { performance } from 'node:perf_hooks';

/** With less of the processor than this share of what its event loop asked for, a process was held up by others. */
const FAIR_SHARE = 0.85;

export interface ProcessorTime {
  /** Microseconds of processor time, all threads, user and system. */
  readonly cpu: number;
  /** Milliseconds in which the event loop had work. */
  readonly active: number;
}

/** What this process has used since its start. */
export function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, active: performance.eventLoopUtilization().active };
}

export function usedBetween(before: ProcessorTime, after: ProcessorTime): ProcessorTime {
  return { cpu: after.cpu - before.cpu, active: after.active - before.active };
}

/** Whether other processes on the machine took time that this one needed. */
export function wasHeldUp({ cpu, active }: ProcessorTime): boolean {
  return cpu / 1000 < active * FAIR_SHARE;
}
