import type { KoaContextWithOIDC } from 'oidc-provider';
import { pageFields } from '#bindings/http/page-fields.js';

/** Answers with a page of ours where the provider would have one of its own. */
export function showPage(ctx: KoaContextWithOIDC, page: string): void {
  ctx.set(pageFields() as Record<string, string>);
  ctx.body = page;
}
