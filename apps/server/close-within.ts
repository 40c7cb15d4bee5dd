import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpServer } from './http-server.js';

/** How often a server that stops looks for connections that have become idle, in milliseconds. */
const IDLE_CHECK_MS = 50;

/** Requests in flight may finish within the limit; a connection is closed as soon as nothing is on its way on it. */
export async function closeWithin(app: NestFastifyApplication, http: HttpServer, limitMs: number): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => http.closeIdle(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), limitMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
  }
}
