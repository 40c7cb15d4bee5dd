import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '#protocol/json.js';
import { pointerTo } from './json-pointer.js';
import { SchemaFault } from './schema-fault.js';
import type { SchemaLimits } from './schema-limits.js';

/** A private copy of a schema, and its JSON text. */
export interface JsonCopy {
  readonly json: JsonObject;
  readonly text: string;
}

interface Frame {
  readonly from: object;
  readonly to: JsonObject | JsonArray;
  /** The member names of an object; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  next: number;
}

/**
 * Copies what an author or a document gave into plain JSON: keys in their order, members that are `undefined` left out.
 * Walks with a stack of its own and stops at the first limit, so that a deep, cyclic, huge or many times shared
 * object can do no harm; everything after it may recurse.
 * @throws SchemaFault for what JSON cannot hold, for cycles, and past the limits on depth and bytes
 */
export function copyJson(source: object, limits: SchemaLimits): JsonCopy {
  const walk = new CopyWalk(limits);
  const json = walk.copy(source);
  const text = JSON.stringify(json);
  if (Buffer.byteLength(text) > limits.bytes) throw tooLarge(limits);
  return { json, text };
}

class CopyWalk {
  private readonly frames: Frame[] = [];
  private readonly levels: number;
  private size = 0;

  constructor(private readonly limits: SchemaLimits) {
    // A subschema stands at most two levels of JSON below its parent (keyword, then name or index); the rest is for data.
    this.levels = 2 * limits.depth + 4;
  }

  copy(source: object): JsonObject {
    const root = this.enter(source);
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      if (frame.next === (frame.keys?.length ?? (frame.from as unknown[]).length)) this.frames.pop();
      else this.step(frame);
    }
    return root as JsonObject;
  }

  private step(frame: Frame): void {
    const key = frame.keys === undefined ? frame.next : (frame.keys[frame.next] ?? '');
    frame.next += 1;
    const value = (frame.from as Record<string | number, unknown>)[key];
    if (value === undefined && frame.keys !== undefined) return;
    this.grow(typeof key === 'string' ? key.length + 3 : 0);
    // Defined rather than assigned: a member may be called `__proto__`.
    Object.defineProperty(frame.to, key, {
      value: this.copyOf(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }

  private copyOf(value: unknown): JsonValue {
    if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
      this.grow(1);
      return value;
    }
    if (typeof value === 'string') {
      this.grow(value.length + 2);
      return value;
    }
    if (typeof value === 'object' && (Array.isArray(value) || isPlain(value))) return this.enter(value);
    throw new SchemaFault(this.pointer(), `there is ${nameOf(value)}`, 'use only what JSON can hold');
  }

  private enter(from: object): JsonObject | JsonArray {
    if (this.frames.some((frame) => frame.from === from)) {
      throw new SchemaFault(this.pointer(), 'the schema object contains itself', 'use "$ref" for a recursive schema');
    }
    if (this.frames.length === this.levels) {
      throw new SchemaFault(
        this.pointer(),
        `the schema nests more than ${this.levels} levels of JSON deep`,
        'move inner schemas to "$defs" and use "$ref"',
      );
    }
    this.grow(2);
    const isArray = Array.isArray(from);
    const frame: Frame = { from, to: isArray ? [] : {}, keys: isArray ? undefined : Object.keys(from), next: 0 };
    this.frames.push(frame);
    return frame.to;
  }

  /** Counts towards the limit on bytes with a number that is never more than the UTF-8 length of the JSON text. */
  private grow(characters: number): void {
    this.size += characters;
    if (this.size > this.limits.bytes) throw tooLarge(this.limits);
  }

  /** Where the walk is: the member that was last begun in every open object and array. */
  private pointer(): string {
    return this.frames.reduce((parent, { keys, next }) => pointerTo(parent, keys?.[next - 1] ?? next - 1), '');
  }
}

function tooLarge(limits: SchemaLimits): SchemaFault {
  return new SchemaFault('', `the schema has more than ${limits.bytes} bytes of JSON`, 'make it smaller');
}

/** True for object literals, of this realm or another; not for class instances, maps, dates. */
function isPlain(value: object): boolean {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object') return 'an object that is not a plain one';
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
