import { reject, type Rejection } from '../errors.js';
import { isJsonObject } from '../json.js';
import { isRequestId } from './read-message.js';
import { isLoggingLevel, LOGGING_LEVELS } from '../logging-level.js';
import type { Implementation, RequestId, RequestMeta, TraceContext } from '../messages.js';
import { META } from '../meta-keys.js';

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Reads the `_meta` of a modern request (specification: basic, "_meta"). A missing or malformed required field is
 * refused with -32602; what is self-reported or optional is dropped when it is malformed, unless it asks for something.
 */
export function readMeta(meta: unknown, id: RequestId): RequestMeta | Rejection {
  if (!isJsonObject(meta)) {
    return reject(
      'invalid_metadata',
      'Every request carries `params._meta` with the protocol version and the client capabilities.',
      { id },
    );
  }
  const protocolVersion = meta[META.protocolVersion];
  if (typeof protocolVersion !== 'string') return missing(META.protocolVersion, 'a string', id);
  const clientCapabilities = meta[META.clientCapabilities];
  if (!isJsonObject(clientCapabilities)) return missing(META.clientCapabilities, 'an object', id);
  const logLevel = meta[META.logLevel];
  if (logLevel !== undefined && !isLoggingLevel(logLevel)) {
    return missing(META.logLevel, `one of ${LOGGING_LEVELS.join(', ')}`, id);
  }
  const progressToken = meta['progressToken'];
  if (progressToken !== undefined && !isRequestId(progressToken)) {
    return missing('progressToken', 'a string or an integer', id);
  }
  return {
    protocolVersion,
    clientCapabilities,
    clientInfo: readImplementation(meta[META.clientInfo]),
    logLevel,
    progressToken,
    trace: meta['traceparent'] === undefined ? undefined : readTrace(meta),
  };
}

function missing(key: string, shape: string, id: RequestId): Rejection {
  return reject('invalid_metadata', `\`params._meta["${key}"]\` must be ${shape}.`, { id });
}

function readImplementation(value: unknown): Implementation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, version } = value;
  return typeof name === 'string' && typeof version === 'string' ? (value as unknown as Implementation) : undefined;
}

function readTrace(meta: Record<string, unknown>): TraceContext | undefined {
  const { traceparent, tracestate, baggage } = meta;
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined;
  return {
    traceparent,
    ...(typeof tracestate === 'string' && { tracestate }),
    ...(typeof baggage === 'string' && { baggage }),
  };
}
