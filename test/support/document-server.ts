import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { temporaryDirectory } from './databases.js';

/** A web site of the test's own, with TLS that this process trusts, for client id documents. */
export interface DocumentServer extends AsyncDisposable {
  readonly origin: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** What it answers, by path: a JSON value, or the whole of a response. */
  readonly documents: Map<string, unknown>;
}

/** A response that is not just a JSON document. */
export class RawDocument {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly body: string,
  ) {}
}

/** Starts it. The certificate is made by `openssl`, for 127.0.0.1 and localhost, and is good for a day. */
export async function runDocumentServer(): Promise<DocumentServer> {
  const directory = await temporaryDirectory();
  const { key, cert } = await makeCertificate(directory.value);
  await directory.dispose();
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  const asked: string[] = [];
  const documents = new Map<string, unknown>();
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const found = documents.get(path);
    const raw =
      found instanceof RawDocument ? found : new RawDocument(found ? 200 : 404, {}, JSON.stringify(found ?? {}));
    response.writeHead(raw.status, { 'content-type': 'application/json', ...raw.headers }).end(raw.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    asked,
    documents,
    [Symbol.asyncDispose]: async () => {
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function makeCertificate(directory: string): Promise<{ readonly key: string; readonly cert: string }> {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-subj', '/CN=causeway-test', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-keyout', key, '-out', cert],
  ]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}
