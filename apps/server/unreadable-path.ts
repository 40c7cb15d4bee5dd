import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMIN_PREFIX } from '#admin/http/admin-route.js';
import { Problem } from '#admin/http/problem.js';
import { sendProblem } from '#admin/http/send-problem.js';

/** Answers what Fastify cannot route, such as a path with half an escape, as everything else of the same part answers. */
export function answerUnreadablePath(error: Error, { url }: FastifyRequest, reply: FastifyReply): void {
  if (url.startsWith(ADMIN_PREFIX)) sendProblem(reply, new Problem('not_found', 'There is no such path.'));
  else reply.send(error);
}
