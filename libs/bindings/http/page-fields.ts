import type { OutgoingHttpHeaders } from 'node:http';

/**
 * The header fields of pages that people see: nothing from elsewhere, no script, in nobody's frame, kept by nobody.
 * @param leadsAway whether a form of the page may end at a client: there is no `form-action` then. Chromium and Safari
 *   hold all redirects after a form to it, those too that the client makes itself and we cannot know: claude.ai sends the
 *   browser on to `claude:`
 */
export function pageFields(leadsAway = false): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(leadsAway ? [] : ["form-action 'self'"]),
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  };
}

/**
 * The header fields of an answer that goes to a client as a form (OAuth 2.0 Form Post Response Mode): nothing but the one
 * script that sends it, whose hash the provider adds to `script-src`. Without scripts there is a button.
 */
export function formAnswerFields(): OutgoingHttpHeaders {
  return {
    'content-security-policy': "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

/** The header fields of a style sheet whose path changes with its text. */
export function styleSheetFields(length: number): OutgoingHttpHeaders {
  return {
    'content-type': 'text/css; charset=utf-8',
    'content-length': length,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  };
}

/**
 * Fields by which any page may call an OAuth endpoint: no cookie counts there, so there is nothing that a page could
 * ride on.
 */
export function oauthCorsFields(): OutgoingHttpHeaders {
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate, Retry-After' };
}

/** The answer to a preflight of an OAuth endpoint. */
export function oauthPreflightFields(methods: readonly string[]): OutgoingHttpHeaders {
  return {
    ...oauthCorsFields(),
    allow: methods.join(', '),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, Accept, MCP-Protocol-Version',
    'access-control-max-age': '3600',
  };
}
