import { hash } from 'node:crypto';
import { ResourceNotFoundError, ShownError } from '#authoring/shown-error.js';
import type { OutboundResponse } from '#outbound/outbound-request.js';
import type { ResourceContents } from '#protocol/content.js';
import { ArgumentError, type Arguments } from '../http-tool/argument-values.js';
import { checkedUrl } from '../http-tool/checked-url.js';
import { compileCredentials } from '../http-tool/credentials.js';
import { explainFailure } from '../http-tool/explain-failure.js';
import { type ServiceParts, withinLimits } from '../http-tool/http-tool-handler.js';
import { limits as limitDefinition } from '../http-tool/limit-definition.js';
import { compileHeaders } from '../http-tool/request-headers.js';
import { compileUrl } from '../http-tool/request-url.js';
import { HEADERS, type MadeRequest } from '../http-tool/tool-request.js';
import type { Sighting } from '../polls/poll.store.js';
import type { SourceContext } from '../registered-sources.js';
import { contentsIn } from './contents-in.js';
import type { ResourceDefinition } from './resource-definition.js';
import { TemplateVariables } from './template-variables.js';

/** What an address answers, as a resource. */
export interface HttpResource {
  /** For one reading, in milliseconds. */
  readonly timeoutMs: number;
  /** @throws ResourceNotFoundError where the service has nothing, ShownError with the reason where it fails */
  readonly read: (values: Arguments, uri: string, signal: AbortSignal) => Promise<ResourceContents>;
  /** What is there now, of a resource without variables; undefined when that is what was seen last. */
  readonly look: (last: Sighting, signal: AbortSignal) => Promise<Sighting | undefined>;
}

/** What is noted where the service has nothing. */
const ABSENT: Sighting = { etag: null, lastModified: null, digest: 'absent' };
/** Longer validators are not kept: each look reads the contents then. */
const MAX_VALIDATOR = 1_024;

/** @throws DefinitionError */
export function compileHttpResource(definition: ResourceDefinition, context: SourceContext): HttpResource {
  const { credentials = [], mimeType } = definition;
  const limits = definition.limits ?? limitDefinition.parse({});
  const state = context.upstreams.of(context, limits);
  const write = compileGet(definition, context);
  const present = compileCredentials(credentials, context, state);
  const ask = <T>(request: MadeRequest, read: ServiceParts<T>['read'], signal: AbortSignal): Promise<T> =>
    withinLimits({ present, read, limits, state, outbound: context.outbound }, request, signal);
  return {
    timeoutMs: limits.timeoutMs,
    read: (values, uri, signal) =>
      explained(uri, signal, async () => {
        return ask(write(values), (response, secrets) => contentsOf(response, { uri, mimeType, secrets }), signal);
      }),
    look: async (last, signal) => {
      const request = write({});
      const headers = { ...request.headers, ...conditionsOf(last) };
      return ask({ ...request, headers }, (response) => sightingOf(response, last), signal);
    },
  };
}

function compileGet(
  { url: address = '', uriTemplate = '', headers: given = {}, mimeType }: ResourceDefinition,
  { outbound }: SourceContext,
): (values: Arguments) => MadeRequest {
  const variables = new TemplateVariables(uriTemplate);
  const url = compileUrl(address, '/url', variables);
  checkedUrl(url.origin, '/url', outbound);
  const accept = mimeType === undefined ? '*/*' : `${mimeType}, */*;q=0.8`;
  const headers: Record<string, string> = { ...HEADERS, accept };
  compileHeaders(given, '/headers', variables)({}, headers);
  const { origin } = url;
  return (values) => ({ method: 'GET', origin, path: url.path(values), headers, body: undefined });
}

/** A URI whose variables would lead elsewhere than the definition means stands for nothing. */
async function explained<T>(uri: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArgumentError) throw new ResourceNotFoundError(uri);
    if (signal.aborted) throw error;
    throw explainFailure(error, 'resource');
  }
}

interface Reading {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly secrets: readonly string[];
}

function contentsOf(response: OutboundResponse, reading: Reading): ResourceContents {
  if (isAbsent(response)) throw new ResourceNotFoundError(reading.uri);
  refuseFailure(response);
  return contentsIn(response, reading);
}

function sightingOf(response: OutboundResponse, last: Sighting): Sighting | undefined {
  if (response.status === 304 && last.digest !== null) return undefined;
  if (isAbsent(response)) return ABSENT;
  refuseFailure(response);
  const { etag, 'last-modified': lastModified } = response.headers;
  return { etag: kept(etag), lastModified: kept(lastModified), digest: hash('sha256', response.body, 'base64url') };
}

function isAbsent({ status }: OutboundResponse): boolean {
  return status === 404 || status === 410;
}

function refuseFailure({ status }: OutboundResponse): void {
  if (status >= 200 && status < 300) return;
  const reason = status === 401 || status === 403 ? 'does not accept the credentials' : 'failed';
  throw new ShownError(`The service behind this resource ${reason}: it answered ${status}.`);
}

/** RFC 9110 section 13.1: with these a service may answer 304, and no contents. */
function conditionsOf({ etag, lastModified }: Sighting): Readonly<Record<string, string>> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

function kept(validator: string | undefined): string | null {
  return validator !== undefined && validator.length <= MAX_VALIDATOR ? validator : null;
}
