import { z } from 'zod';
import { networkOf } from '#authorization/accounts/sign-in.js';
import { type Limit, RateLimiter } from '#authorization/http/rate-limit.js';
import type { NotifyOutcome } from '#sources/notifications/resource-notifications.js';
import type { AdminParts } from '../admin-parts.js';
import { type AdminRoute, signedRoute, type SignedRequest } from '../http/admin-route.js';
import type { Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';

/** How many requests that are not signed well one network may send. */
const UNSIGNED: Limit = { requests: 30, windowMs: 60_000 };

const ABOUT =
  'With a key, or signed after the Standard Webhooks scheme (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with ' +
  'the secret that a resource names in `updates.webhook`. A signed message is taken once: sent again, it announces nothing.';

const notice = z.strictObject({ uris: z.array(z.string().min(1).max(2_048)).min(1).max(100) });

const noticeView = z
  .object({
    announced: z.array(z.string()).describe('Listeners are told of these.'),
    unknown: z.array(z.string()).describe('No resources, or none that the sender may announce.'),
    repeated: z.boolean().describe('Whether the message was taken before; nothing is announced then.'),
  })
  .meta({ id: 'Notice' });

/** How the tenant's own systems say that contents of resources have changed. */
export function noticeRoutes({ notifications }: AdminParts): readonly AdminRoute[] {
  const failures = new RateLimiter();
  return [
    signedRoute({
      method: 'POST',
      path: '/tenants/:slug/resources/notify',
      area: 'sources',
      summary: 'Say that contents of resources have changed',
      description: ABOUT,
      scope: 'sources:write',
      params: z.object({ slug: z.string() }),
      body: notice,
      outcome: { status: 200, schema: noticeView },
      run: async (request) => {
        const network = networkOf(request.address);
        if (!request.isAdmin) refuseBusy(failures.waitFor(network, UNSIGNED));
        const outcome = await notifications.notify(request.params.slug, asNotification(request));
        if (outcome.type === 'unsigned') failures.take(network, UNSIGNED);
        return answerTo(outcome);
      },
    }),
  ];
}

function asNotification({ headers, bytes, isAdmin }: SignedRequest) {
  return { headers, rawBody: bytes, isAdmin };
}

function refuseBusy(waitMs: number | undefined): void {
  if (waitMs === undefined) return;
  throw new Problem('too_many_requests', 'Too many requests without a good signature came from your network.', {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  });
}

/** @throws Problem `invalid_body`, `unauthorized`, `not_found` */
function answerTo(outcome: NotifyOutcome): Answer {
  switch (outcome.type) {
    case 'announced':
      return { status: 200, body: { announced: outcome.announced, unknown: outcome.unknown, repeated: false } };
    case 'repeated':
      return { status: 200, body: { announced: [], unknown: [], repeated: true } };
    case 'malformed':
      throw new Problem('invalid_body', 'The body does not fit, so nothing was announced.', {
        errors: [{ pointer: outcome.error.pointer, detail: `${outcome.error.problem} ${outcome.error.mend}` }],
      });
    case 'unsigned':
      throw new Problem('unauthorized', outcome.problem);
    case 'no_tenant':
      throw new Problem('not_found', 'There is no such tenant.');
  }
}
