import { isJsonObject } from '#protocol/json.js';
import { parseJson } from '#protocol/json-text.js';
import type { Change } from './change.js';

/** What one node sends to all the others. */
export interface BusMessage {
  /** Which process sent it. */
  readonly sender: string;
  /** Undefined: look into the outbox, where there is a change that is too large to be sent. */
  readonly change: Change | undefined;
  /** The entry of the outbox that holds the change; undefined when there is none. */
  readonly entryId: string | undefined;
}

/** Grows when older nodes must not read what newer ones send. */
const VERSION = 1;
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 3;
const TEXT = /^[^\0]{1,8192}$/s;
const ENTRY_ID = /^\d{1,19}$/;

export function encodeBusMessage({ sender, change, entryId }: BusMessage): string {
  return JSON.stringify({ v: VERSION, sender, entryId, change });
}

/** Reads what came over the bus, from whomever. Undefined when it is not such a message, or of another version. */
export function decodeBusMessage(text: string): BusMessage | undefined {
  const value = text.length > MAX_LENGTH ? undefined : parsed(text);
  if (!isJsonObject(value) || value['v'] !== VERSION) return undefined;
  const { sender, entryId, change } = value;
  if (!isText(sender) || !(entryId === undefined || (isText(entryId) && ENTRY_ID.test(entryId)))) return undefined;
  if (change === undefined) return { sender, change, entryId };
  return isChange(change) ? { sender, change, entryId } : undefined;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, MAX_DEPTH);
  } catch {
    return undefined;
  }
}

function isChange(value: unknown): value is Change {
  if (!isJsonObject(value) || !isText(value['tenantId'])) return false;
  switch (value['type']) {
    case 'catalogue':
      return isText(value['slug']) && Number.isSafeInteger(value['revision']);
    case 'resource':
      return isText(value['uri']);
    case 'revocation':
      return isText(value['subject']);
    default:
      return false;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && TEXT.test(value);
}
