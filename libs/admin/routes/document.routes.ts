import { z } from 'zod';
import { type AdminRoute, publicRoute } from '../http/admin-route.js';
import type { Answer } from '../http/answer.js';
import { openApiDocument } from '../openapi/openapi-document.js';

/** The document about all routes, itself among them. */
export function withDocument(routes: readonly AdminRoute[], version: string): readonly AdminRoute[] {
  let answer: Answer | undefined;
  const document: AdminRoute = publicRoute({
    method: 'GET',
    path: '/openapi.json',
    area: 'session',
    summary: 'This document',
    outcome: { status: 200, schema: z.record(z.string(), z.unknown()) },
    run: () => Promise.resolve((answer ??= { status: 200, body: openApiDocument(all, version) })),
  });
  const all: readonly AdminRoute[] = [...routes, document];
  return all;
}
