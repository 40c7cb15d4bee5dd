import type { JsonObject } from '#protocol/json.js';
import { pointerTo } from './json-pointer.js';
import { SchemaFault } from './schema-fault.js';
import { childrenOf } from './subschemas.js';

/** A parameter of a tool that clients mirror into a header. */
export interface HeaderParameter {
  /** The full name of the header in lower case: `mcp-param-…`. */
  readonly header: string;
  /** The name as declared. */
  readonly name: string;
  /** The property names that lead from the arguments to the value. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

interface Place {
  readonly schema: JsonObject;
  readonly pointer: string;
  /** The chain of property names from the root; undefined where anything else is on the way. */
  readonly path: readonly string[] | undefined;
}

const KEYWORD = 'x-mcp-header';

/** RFC 9110 section 5.6.2: `token = 1*tchar`. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The parameters that a tool's input schema marks with `x-mcp-header`, in the order in which they are written
 * (specification: server/tools and basic/transports/streamable-http, "Custom Headers from Tool Parameters").
 * @param schema an input schema that is within the limits
 * @throws SchemaFault when a mark breaks a rule there; clients would leave the tool out
 */
export function headerParameters(schema: JsonObject): readonly HeaderParameter[] {
  const found = new Map<string, HeaderParameter>();
  const waiting: Place[] = [{ schema, pointer: '', path: [] }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (Object.hasOwn(place.schema, KEYWORD)) enter(place, found);
    waiting.push(...placesUnder(place).reverse());
  }
  return [...found.values()];
}

function placesUnder({ schema, pointer, path }: Place): Place[] {
  return childrenOf(schema).flatMap(({ keyword, token, schema: below }) => {
    if (typeof below === 'boolean') return [];
    const steps = token === undefined ? [keyword] : [keyword, token];
    const reachable = keyword === 'properties' && path !== undefined ? [...path, String(token)] : undefined;
    return [{ schema: below, pointer: steps.reduce(pointerTo, pointer), path: reachable }];
  });
}

function enter(place: Place, found: Map<string, HeaderParameter>): void {
  const parameter = parameterOf(place);
  const other = found.get(parameter.header);
  if (other !== undefined) {
    throw fault(
      place,
      `${JSON.stringify(parameter.name)} is the header of ${other.path.join('.')} too`,
      'give each header a name of its own',
    );
  }
  found.set(parameter.header, parameter);
}

function parameterOf(place: Place): HeaderParameter {
  const { path, schema } = place;
  if (path === undefined || path.length === 0) {
    throw fault(
      place,
      'the header belongs to no parameter that can be found by property names alone',
      `put "${KEYWORD}" on a property that is reached from the root through "properties" only`,
    );
  }
  const name = schema[KEYWORD];
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    throw fault(place, 'the value is not the name of a header', 'use letters, digits and hyphens, such as "Region"');
  }
  const { type } = schema;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw fault(
      place,
      'only a string, an integer or a boolean can be in a header',
      'set "type" to one of these, or take the header away',
    );
  }
  return { header: `mcp-param-${name.toLowerCase()}`, name, path, type };
}

function fault({ pointer }: Place, problem: string, mend: string): SchemaFault {
  return new SchemaFault(pointerTo(pointer, KEYWORD), problem, mend);
}
