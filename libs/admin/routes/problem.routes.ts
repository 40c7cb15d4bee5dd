import { z } from 'zod';
import { type AdminRoute, publicRoute } from '../http/admin-route.js';
import { PROBLEMS, type ProblemName } from '../http/problem-kinds.js';

const KINDS = Object.keys(PROBLEMS) as [ProblemName, ...ProblemName[]];

/** What is behind the `type` of a problem. */
export function problemRoutes(): readonly AdminRoute[] {
  return [
    publicRoute({
      method: 'GET',
      path: '/problems/:kind',
      area: 'session',
      summary: 'Say what a kind of problem means',
      params: z.object({ kind: z.enum(KINDS) }),
      outcome: {
        status: 200,
        schema: z.object({ status: z.int(), title: z.string(), meaning: z.string() }).meta({ id: 'ProblemKind' }),
      },
      run: ({ params: { kind } }) => Promise.resolve({ status: 200, body: PROBLEMS[kind] }),
    }),
  ];
}
