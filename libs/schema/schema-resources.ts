import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';
import { pointerTo, tokensOf } from './json-pointer.js';
import type { Dialect } from './schema-dialect.js';
import { SchemaFault } from './schema-fault.js';
import type { Place } from './subschemas.js';

/** What a reference points to, which need not be a schema, and where that stands in the document. */
export interface Target {
  readonly value: JsonValue | undefined;
  readonly pointer: string;
  /** The base URI of the schema resource in which it stands. */
  readonly base: string;
}

type Identified = Pick<Place, 'schema' | 'pointer'>;

/** Stands for the URI of a document that gives itself none, so that relative references have something to be relative to. */
const NAMELESS = 'schema:///';

/**
 * The identified places of one document: its schema resources by absolute URI and its anchors (2020-12 core, section 8.2).
 * Nothing outside of the document can be found here, and nothing is ever fetched.
 */
export class SchemaResources {
  private readonly resources = new Map<string, Identified>();
  private readonly anchors = new Map<string, Identified>();
  private readonly dynamic = new Map<string, string>();

  constructor(
    root: JsonObject,
    private readonly dialect: Dialect,
  ) {
    this.resources.set(NAMELESS, { schema: root, pointer: '' });
  }

  /** Notes the identifiers of a schema and returns the base URI that holds in it. */
  enter(place: Place): string {
    const base = this.enterResource(place);
    this.enterAnchor(place, base, '$anchor', place.schema['$anchor']);
    this.enterDynamic(place, base, '$dynamicAnchor', place.schema['$dynamicAnchor']);
    if (place.schema['$recursiveAnchor'] === true) this.enterDynamic(place, base, '$recursiveAnchor', '');
    return base;
  }

  /** @throws SchemaFault when the reference does not resolve inside the document */
  resolve({ base, pointer }: Place, keyword: string, reference: string): Target {
    const uri = URL.parse(reference, base);
    const inside = uri === null ? '' : withoutFragment(uri);
    const resource = this.resources.get(inside);
    if (uri === null || resource === undefined) throw outside(pointerTo(pointer, keyword), reference, uri);
    const fragment = decoded(uri.hash.slice(1));
    if (fragment.startsWith('/')) return { ...follow(resource, fragment), base: inside };
    const named = fragment === '' ? resource : this.anchors.get(`${inside}#${fragment}`);
    return { value: named?.schema, pointer: named?.pointer ?? '', base: inside };
  }

  private enterResource(place: Place): string {
    const inherited = place.base === '' ? NAMELESS : place.base;
    const id = place.schema['$id'];
    // Draft-07 section 8.3: an `$id` beside a `$ref` is ignored.
    if (typeof id !== 'string' || (this.dialect === 'draft-07' && '$ref' in place.schema)) return inherited;
    // In draft-07 an `$id` that is only a fragment is what later became `$anchor`.
    if (id.startsWith('#') && this.dialect === 'draft-07') {
      this.enterAnchor(place, inherited, '$id', id.slice(1));
      return inherited;
    }
    const uri = URL.parse(id, inherited);
    if (uri === null)
      throw new SchemaFault(`${place.pointer}/$id`, 'the "$id" is not a URI', 'give a URI or leave it out');
    const absolute = withoutFragment(uri);
    this.claim(this.resources, absolute, place, '$id');
    return absolute;
  }

  private enterAnchor(place: Place, base: string, keyword: string, anchor: JsonValue | undefined): void {
    if (typeof anchor === 'string') this.claim(this.anchors, `${base}#${anchor}`, place, keyword);
  }

  /** With one place of a name, where a dynamic reference leads does not depend on the way there. */
  private enterDynamic(place: Place, base: string, keyword: string, anchor: JsonValue | undefined): void {
    if (typeof anchor !== 'string') return;
    if (anchor !== '') this.enterAnchor(place, base, keyword, anchor);
    if (this.dynamic.has(anchor)) {
      throw new SchemaFault(
        pointerTo(place.pointer, keyword),
        `this ${keyword} stands at ${this.dynamic.get(anchor) || 'the root'} too, and references that depend on the way there are not supported`,
        'give each a name of its own, or use "$ref"',
      );
    }
    this.dynamic.set(anchor, place.pointer);
  }

  private claim(table: Map<string, Identified>, key: string, place: Identified, keyword: string): void {
    const other = table.get(key);
    if (other !== undefined && other.schema !== place.schema) {
      const where = other.pointer === '' ? 'the root' : other.pointer;
      throw new SchemaFault(
        pointerTo(place.pointer, keyword),
        `${where} has the same name`,
        'give each a name of its own',
      );
    }
    table.set(key, place);
  }
}

function follow(from: Identified, path: string): Omit<Target, 'base'> {
  let value: JsonValue | undefined = from.schema;
  for (const token of tokensOf(path)) value = member(value, token);
  return { value, pointer: from.pointer + path };
}

function member(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function outside(pointer: string, reference: string, uri: URL | null): SchemaFault {
  const shown = JSON.stringify(reference);
  if (uri !== null && uri.host !== '') {
    return new SchemaFault(
      pointer,
      `${shown} would have to be fetched from the network, which is never done`,
      'copy that schema into "$defs" and point to it with "#/$defs/name"',
    );
  }
  return new SchemaFault(
    pointer,
    `${shown} leads out of this schema`,
    'point to a schema of this document, such as "#/$defs/name"',
  );
}

function withoutFragment(uri: URL): string {
  return uri.href.replace(/#.*$/s, '');
}

/** A fragment whose percent-encoding is not UTF-8 stays as it is, and will name nothing. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
