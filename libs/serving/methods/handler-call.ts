import type { Call, Outcome, Retry } from '#invocation/call.js';
import { type Fault, faultText } from '#invocation/fault.js';
import { isRejection, reject, type Rejection } from '#protocol/errors.js';
import { isJsonObject } from '#protocol/json.js';
import { encodeNotification, encodeResponse, encodeResult } from '#protocol/wire/modern.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';

type Given =
  | 'method'
  | 'name'
  | 'label'
  | 'arguments'
  | 'retry'
  | 'timeoutMs'
  | 'configuration'
  | 'run'
  | 'toResult'
  | 'present'
  | 'readResource';

/** A call with what all methods that run handlers have in common. */
export function handlerCall(
  { envelope, catalogue, caller, channel }: Exchange,
  stages: Stages,
  given: Pick<Call, Given>,
): Call {
  const { id, slug } = catalogue.tenant;
  return {
    ...given,
    tenant: { id, slug },
    principal: caller.principal,
    meta: envelope.meta,
    channel: {
      notify: (method, params) => channel.send(encodeNotification(method, params)),
      onClose: (callback) => channel.onClose(callback),
    },
    announceResource: (uri) => stages.announcer.announce({ type: 'resource', tenantId: id, uri }),
  };
}

/** Reads `requestState` and `inputResponses` (specification: basic/patterns/mrtr); undefined when it is a first request. */
export function readRetry({ envelope }: Exchange): Retry | undefined | Rejection {
  const { requestState, inputResponses } = envelope.params;
  if (requestState === undefined && inputResponses === undefined) return undefined;
  if (requestState !== undefined && typeof requestState !== 'string') {
    return reject('invalid_params', '`params.requestState` must be the string that the server sent.', {
      id: envelope.id,
    });
  }
  if (inputResponses !== undefined && !isResponses(inputResponses)) {
    return reject('invalid_params', '`params.inputResponses` must be an object with one object for each question.', {
      id: envelope.id,
    });
  }
  return { requestState, inputResponses: inputResponses ?? {} };
}

function isResponses(value: unknown): value is Retry['inputResponses'] {
  return isJsonObject(value) && Object.values(value).every(isJsonObject);
}

/** Writes an outcome as this era's message; a result over the limit is told instead. */
export function depart({ envelope, catalogue }: Exchange, { limits }: Stages, call: Call, outcome: Outcome): Departure {
  const { id } = envelope;
  switch (outcome.type) {
    case 'abandoned':
      return { type: 'abandoned' };
    case 'refused':
      return rejected({ ...outcome.rejection, id });
    case 'complete':
    case 'input_required': {
      const result = encodeResult(outcome.type, outcome.result, catalogue.serverMeta);
      if (fits(result, limits.resultBytes)) return { type: 'message', text: encodeResponse(id, result) };
      const told = call.present({ type: 'too_large', limit: limits.resultBytes });
      if (isRejection(told)) return rejected({ ...told, id });
      return { type: 'message', text: encodeResponse(id, encodeResult('complete', told, catalogue.serverMeta)) };
    }
  }
}

/** Counts bytes only where characters do not tell: one is at most three bytes in UTF-8. */
function fits(text: string, limit: number): boolean {
  return text.length * 3 <= limit || (text.length <= limit && Buffer.byteLength(text) <= limit);
}

/** How resources, prompts and completions tell a failure: as a JSON-RPC error. */
export function presentAsError(fault: Fault): Rejection {
  return fault.type === 'not_found'
    ? reject('invalid_params', fault.message, { data: { uri: fault.uri } })
    : reject('internal_error', faultText(fault));
}
