import { comparisons } from './comparisons.js';
import { idleListeners } from './idle-listeners.js';
import type { Measure } from './measure.js';
import { startUp } from './start-up.js';

/** In the order in which they run and are reported. */
export const measures: readonly Measure[] = [startUp, ...comparisons, idleListeners];
