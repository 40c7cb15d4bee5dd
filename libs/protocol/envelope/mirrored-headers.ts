import { reject, type Rejection } from '../errors.js';
import { decodeHeaderValue } from '../header-values.js';
import { type ModernMethod, NAMED_BY } from '../methods.js';
import type { Message } from './read-message.js';

/**
 * Header fields as the binding received them, by lower-case name. A binding without headers (stdio) passes none and
 * nothing is compared.
 */
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

function single(fields: HeaderFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** The `MCP-Protocol-Version` field, which every POST carries. */
export function versionField(fields: HeaderFields): string | undefined {
  return single(fields, 'mcp-protocol-version');
}

/** Compares `Mcp-Method` with the body (specification: basic/transports/streamable-http, "Server Validation"). */
export function checkMethodField(fields: HeaderFields, message: Message): Rejection | undefined {
  const header = single(fields, 'mcp-method');
  if (header === message.method) return undefined;
  return reject(
    'header_mismatch',
    header === undefined
      ? 'The header Mcp-Method is missing: it repeats the body\'s "method".'
      : 'The header Mcp-Method does not match the "method" of the body.',
    { id: message.id },
  );
}

/** Compares `Mcp-Name` with `params.name` or `params.uri`, on the methods that have one. */
export function checkNameField(fields: HeaderFields, method: ModernMethod, message: Message): Rejection | undefined {
  const member = NAMED_BY[method];
  if (member === undefined) return undefined;
  const header = single(fields, 'mcp-name');
  if (header === undefined) {
    return reject('header_mismatch', `The header Mcp-Name is missing: it repeats \`params.${member}\`.`, {
      id: message.id,
    });
  }
  const value = message.params?.[member];
  if (header === value && !header.startsWith('=?')) return undefined;
  if (decodeHeaderValue(header) === value) return undefined;
  return reject('header_mismatch', `The header Mcp-Name does not match \`params.${member}\` of the body.`, {
    id: message.id,
  });
}
