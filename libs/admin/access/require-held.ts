import { Problem } from '../http/problem.js';
import { type AdminScope, permits } from './admin-scopes.js';

/** Nobody gives what they do not have. @throws Problem `insufficient_scope` */
export function requireHeld(wanted: readonly AdminScope[], held: readonly AdminScope[]): void {
  const missing = wanted.find((scope) => !permits(held, scope));
  if (missing === undefined) return;
  throw new Problem('insufficient_scope', `You cannot give ${missing}: your own key lacks it.`, { scope: missing });
}
