import { reject, type Rejection } from '../errors.js';
import { isJsonObject } from '../json.js';
import type { RequestId } from '../messages.js';

/** A JSON-RPC request or notification whose shape is right; what it says is not looked at yet. */
export interface Message {
  /** Absent on a notification. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** Reads the JSON-RPC shape of a parsed body (specification: basic, "Messages"). */
export function readMessage(body: unknown): Message | Rejection {
  if (Array.isArray(body)) return reject('invalid_request', 'Send one message per POST: batches are not part of MCP.');
  if (!isJsonObject(body)) return reject('invalid_request', 'A message is a JSON object.');
  const { jsonrpc, id, method, params } = body;
  const known = isRequestId(id) ? id : undefined;
  if (jsonrpc !== '2.0') return reject('invalid_request', 'The member "jsonrpc" must be "2.0".', { id: known });
  if (typeof method !== 'string') {
    return 'result' in body || 'error' in body
      ? reject('invalid_request', 'Clients do not send responses: answer with `inputResponses` in a new request.')
      : reject('invalid_request', 'The member "method" must be a string.', { id: known });
  }
  if (id !== undefined && known === undefined) {
    return reject(
      'invalid_request',
      'The member "id" must be a string or an integer; leave it out for a notification.',
    );
  }
  if (params !== undefined && !isJsonObject(params)) {
    return reject('invalid_request', 'The member "params" must be an object.', { id: known });
  }
  return { id: known, method, params };
}

/** Whether a value can be a request id, or a progress token: a string or an integer that a double holds. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
