import { reject, type Rejection } from '#protocol/errors.js';
import { type Caller, grantOf } from './caller.js';

/** What access needs to know of a tenant. */
export interface GuardedTenant {
  readonly id: string;
  readonly access: 'open' | 'oauth' | 'tokens';
}

const NO_SCOPES: ReadonlySet<string> = new Set();
const NOTHING = grantOf(NO_SCOPES);

/**
 * Who calls this tenant. An open tenant is called by its anonymous principal, which holds no scopes; every other is
 * closed to callers without a token.
 */
export function authenticate(tenant: GuardedTenant): Caller | Rejection {
  switch (tenant.access) {
    case 'open':
      return {
        principal: { tenantId: tenant.id, subject: 'anonymous', clientId: undefined, scopes: NO_SCOPES },
        grant: NOTHING,
      };
    case 'oauth':
    case 'tokens':
      return reject('unauthorized', 'This server wants an access token.');
  }
}
