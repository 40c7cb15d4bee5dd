import { CatalogueError } from '#catalogue/catalogue-compiler.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import { andThen } from '#protocol/and-then.js';
import { isRejection, reject, type Rejection } from '#protocol/errors.js';
import { openEnvelope } from '#protocol/envelope/open-envelope.js';
import { parseJson } from '#protocol/json-text.js';
import { type Arrival, type Channel, type Departure, type Exchange, rejected } from './exchange.js';
import { METHODS } from './methods/methods.js';
import type { Stages } from './stages.js';

/**
 * The whole life of a request, every stage in its order. Each takes a value and returns a value; a rejection is one too.
 * What need not wait does not: a request of a tenant in use, to a handler that waits for nothing, passes in one go.
 */
export function serveRequest(stages: Stages, arrival: Arrival, channel: Channel): Departure | Promise<Departure> {
  const { address, credentials } = arrival;
  return andThen(stages.tenants.peek(address.slug) ?? findTenant(stages, address.slug), (catalogue) => {
    if (isRejection(catalogue)) return rejected(catalogue);
    const { tenant, content } = catalogue;
    if (tenant.status === 'suspended') {
      return rejected(reject('suspended_tenant', 'This server is suspended. Ask whoever runs it.'));
    }

    return andThen(stages.gate.admit({ tenant, address, scopes: content.scopes }, credentials), (caller) => {
      if (isRejection(caller)) return rejected(caller);
      if (arrival.refusal) return rejected(arrival.refusal);

      const body = parseBody(arrival.body, stages.limits.jsonDepth);
      if (isRejection(body)) return rejected(body);
      const envelope = openEnvelope(body.value, arrival.fields);
      if (isRejection(envelope)) return rejected(envelope);
      if (envelope.type === 'notification') return { type: 'accepted' };

      const view = catalogue.view(caller.grant);
      return perform({ address, envelope, fields: arrival.fields, catalogue, view, caller, channel }, stages);
    });
  });
}

/** What goes wrong in a method, and is no rejection, still gets an answer. */
function perform(exchange: Exchange, stages: Stages): Departure | Promise<Departure> {
  const { id, method } = exchange.envelope;
  const failed = (error: unknown): Departure => {
    stages.onFailure(error);
    return rejected(reject('internal_error', 'Something went wrong on the server.', { id }));
  };
  try {
    const departure = METHODS[method](exchange, stages);
    return departure instanceof Promise ? departure.catch(failed) : departure;
  } catch (error) {
    return failed(error);
  }
}

async function findTenant(stages: Stages, slug: string): Promise<Catalogue | Rejection> {
  try {
    return (await stages.tenants.find(slug)) ?? reject('unknown_tenant', 'There is no MCP server at this URL.');
  } catch (error) {
    stages.onFailure(error);
    return error instanceof CatalogueError
      ? reject('unavailable', 'This server is not set up right. Whoever runs it finds out why in the log.')
      : reject('unavailable', 'The server cannot look up its tenants just now. Try again soon.');
  }
}

function parseBody(text: string, maxDepth: number): { readonly value: unknown } | Rejection {
  try {
    return { value: parseJson(text, maxDepth) };
  } catch (error) {
    return reject('parse_error', `The body is ${error instanceof Error ? error.message : 'not valid JSON'}.`);
  }
}
