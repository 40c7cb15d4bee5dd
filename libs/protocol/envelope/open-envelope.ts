import { isRejection, reject, type Rejection } from '../errors.js';
import { isJsonObject } from '../json.js';
import type { RequestId, RequestMeta } from '../messages.js';
import { META } from '../meta-keys.js';
import { isModernMethod, type ModernMethod } from '../methods.js';
import { isServedRevision, SERVED_REVISIONS } from '../revisions.js';
import { checkMethodField, checkNameField, type HeaderFields, versionField } from './mirrored-headers.js';
import { type Message, readMessage } from './read-message.js';
import { readMeta } from './read-meta.js';

/** A request of the modern era, understood as far as that goes without knowing the tenant. */
export interface RequestEnvelope {
  readonly type: 'request';
  readonly id: RequestId;
  readonly method: ModernMethod;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: RequestMeta;
}

/** A notification: taken note of, never answered. */
export interface NotificationEnvelope {
  readonly type: 'notification';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Envelope = RequestEnvelope | NotificationEnvelope;

const NO_PARAMS: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Classifies a parsed body, once: JSON-RPC shape, then version, `_meta` and mirrored headers, then the method.
 * @param fields the HTTP header fields, or undefined where a binding has none
 */
export function openEnvelope(body: unknown, fields: HeaderFields | undefined): Envelope | Rejection {
  const message = readMessage(body);
  if (isRejection(message)) return message;
  const { id, method, params = NO_PARAMS } = message;
  if (id === undefined) return { type: 'notification', method, params };
  if (isLegacyOpening(message, fields)) return unsupported(requestedVersion(message, fields), id);
  if (fields !== undefined && versionField(fields) === undefined) {
    return reject(
      'header_mismatch',
      `The header MCP-Protocol-Version is missing: it repeats the version in \`_meta\`, such as ${SERVED_REVISIONS[0]}.`,
      { id },
    );
  }
  const meta = readMeta(params['_meta'], id);
  if (isRejection(meta)) return meta;
  return checkVersion(meta, fields, id) ?? finish(message, id, meta, fields);
}

function finish(
  message: Message,
  id: RequestId,
  meta: RequestMeta,
  fields: HeaderFields | undefined,
): Envelope | Rejection {
  const wrongMethod = fields && checkMethodField(fields, message);
  if (wrongMethod) return wrongMethod;
  const { method, params = NO_PARAMS } = message;
  if (!isModernMethod(method)) return reject('method_not_found', 'This server does not serve the method.', { id });
  const wrongName = fields && checkNameField(fields, method, message);
  return wrongName ?? { type: 'request', id, method, params, meta };
}

function checkVersion(meta: RequestMeta, fields: HeaderFields | undefined, id: RequestId): Rejection | undefined {
  const { protocolVersion } = meta;
  if (fields !== undefined && versionField(fields) !== protocolVersion) {
    return reject('header_mismatch', 'The header MCP-Protocol-Version does not match the version in `_meta`.', { id });
  }
  return isServedRevision(protocolVersion) ? undefined : unsupported(protocolVersion, id);
}

/**
 * A client of the legacy era opens with `initialize`, and sends a version header of its era afterwards, in neither with
 * a version in `_meta`. It is told which versions are served.
 */
function isLegacyOpening(message: Message, fields: HeaderFields | undefined): boolean {
  const meta = message.params?.['_meta'];
  if (isJsonObject(meta) && meta[META.protocolVersion] !== undefined) return false;
  if (message.method === 'initialize') return true;
  const header = fields && versionField(fields);
  return header !== undefined && !isServedRevision(header);
}

function requestedVersion(message: Message, fields: HeaderFields | undefined): string {
  const asked = message.params?.['protocolVersion'];
  return (typeof asked === 'string' ? asked : fields && versionField(fields))?.slice(0, 64) ?? 'unknown';
}

function unsupported(requested: string, id: RequestId): Rejection {
  return reject(
    'unsupported_version',
    `Unsupported protocol version: this server speaks ${SERVED_REVISIONS.join(', ')}.`,
    {
      id,
      data: { supported: SERVED_REVISIONS, requested },
    },
  );
}
