import { randomUUID } from 'node:crypto';
import { isJsonObject } from '#protocol/json.js';
import { pointerTo } from '#schema/json-pointer.js';
import { argumentOf, type Arguments, fromBase64, textOf } from './argument-values.js';
import type { PartDefinition } from './http-tool-definition.js';
import type { KnownArguments } from './known-arguments.js';
import type { WriteBody } from './request-body.js';

type Described = Exclude<PartDefinition, string | number | boolean>;

/**
 * Compiles a body of parts (RFC 7578). A list makes one part for each of its items.
 * @throws DefinitionError
 */
export function compileMultipart(
  parts: Readonly<Record<string, PartDefinition>>,
  pointer: string,
  known: KnownArguments,
): WriteBody {
  const entries = Object.entries(parts);
  for (const [name, part] of entries) if (typeof part === 'object') declare(part, pointerTo(pointer, name), known);
  return (args) => {
    const boundary = `causeway-${randomUUID()}`;
    const chunks = entries.flatMap(([name, part]) => partsOf(name, part, args, boundary));
    const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
    return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
  };
}

function declare({ argument, filename }: Described, pointer: string, known: KnownArguments): void {
  known.use(argument, `${pointer}/argument`);
  if (typeof filename === 'object') known.use(filename.argument, `${pointer}/filename/argument`);
}

function partsOf(name: string, part: PartDefinition, args: Arguments, boundary: string): readonly Buffer[] {
  if (typeof part !== 'object') return [onePart(boundary, name, Buffer.from(textOf(part)), {})];
  const value = argumentOf(args, part.argument);
  if (value === undefined || value === null) return [];
  const filename = typeof part.filename === 'object' ? argumentOf(args, part.filename.argument) : part.filename;
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    const bytes = part.encoding === 'base64' ? fromBase64(item, part.argument) : Buffer.from(textOf(item));
    const type = part.contentType ?? typeOf(item, part.encoding === 'base64');
    return onePart(boundary, name, bytes, { type, filename: filename == null ? undefined : textOf(filename) });
  });
}

function typeOf(item: unknown, isBinary: boolean): string | undefined {
  if (isBinary) return 'application/octet-stream';
  return isJsonObject(item) ? 'application/json' : undefined;
}

function onePart(
  boundary: string,
  name: string,
  bytes: Uint8Array,
  { type, filename }: { readonly type?: string | undefined; readonly filename?: string | undefined },
): Buffer {
  const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
  const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n${typed}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
}

/** As browsers write names (WHATWG HTML, "Multipart form data"). */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
