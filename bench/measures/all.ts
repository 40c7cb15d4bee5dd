import { comparisons } from './comparisons.js';
import { fanout } from './fanout.js';
import { idleListeners } from './idle-listeners.js';
import { compilation, compilationTurn } from './compilation.js';
import { httpTool } from './http-tool.js';
import type { Measure } from './measure.js';
import { startUp } from './start-up.js';

/** In the order in which they run and are reported: what takes longest is last, and lost first when time is over. */
export const measures: readonly Measure[] = [
  startUp,
  idleListeners,
  fanout,
  httpTool,
  compilation,
  compilationTurn,
  ...comparisons,
];
