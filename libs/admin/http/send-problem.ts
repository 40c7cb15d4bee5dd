import type { FastifyReply } from 'fastify';
import type { Problem } from './problem.js';

/** Answers with a problem document (RFC 9457). */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...problem.headers })
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem.toDocument()));
}
