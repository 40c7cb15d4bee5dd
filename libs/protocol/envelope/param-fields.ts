import { reject, type Rejection } from '../errors.js';
import { decodeHeaderValue, mirrorsValue } from '../header-values.js';
import type { RequestId } from '../messages.js';
import type { HeaderFields } from './mirrored-headers.js';

/** An argument that clients mirror into a header, by a tool's `x-mcp-header`. */
export interface MirroredParameter {
  /** Lower case, `mcp-param-` included. */
  readonly header: string;
  /** The property names that lead to the value. */
  readonly path: readonly string[];
}

/**
 * Compares the `Mcp-Param-*` headers of a call with its arguments
 * (specification: basic/transports/streamable-http, "Server Behavior for Custom Headers").
 */
export function checkParamFields(
  fields: HeaderFields,
  parameters: readonly MirroredParameter[],
  args: Readonly<Record<string, unknown>>,
  id: RequestId,
): Rejection | undefined {
  const wrong = parameters.find(({ header, path }) => !agrees(fields[header], valueAt(args, path)));
  return (
    wrong &&
    reject(
      'header_mismatch',
      `The header ${wrong.header} does not match the argument "${wrong.path.join('.')}". List the tools again.`,
      { id },
    )
  );
}

function agrees(field: HeaderFields[string], value: unknown): boolean {
  if (value === undefined || value === null) return field === undefined;
  if (typeof field !== 'string') return false;
  const decoded = decodeHeaderValue(field);
  return decoded !== undefined && mirrorsValue(decoded, value);
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
