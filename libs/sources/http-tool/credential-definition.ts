import { z } from 'zod';
import { strictMembers } from '../read-definition.js';

/** The name under which the tenant's admin stored a secret. */
const secret = z.string().min(1).max(128);
const name = z.string().min(1).max(256);

/** How the service is told who calls; secrets stand in the tenant's vault, and here by name. */
export const credential = z.discriminatedUnion('type', [
  /** RFC 6750. */
  strictMembers({ type: z.literal('bearer'), secret }),
  /** RFC 7617. */
  strictMembers({
    type: z.literal('basic'),
    username: z
      .string()
      .max(256)
      .regex(/^[^:\p{Cc}]*$/u, 'must have no colon'),
    secret,
  }),
  strictMembers({
    type: z.literal('api_key'),
    in: z.enum(['header', 'query', 'cookie']),
    name,
    secret,
    /** What stands before the secret, such as `Token `. */
    prefix: z
      .string()
      .max(64)
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
      .default(''),
  }),
  /** RFC 6749 section 4.4. */
  strictMembers({
    type: z.literal('oauth_client_credentials'),
    tokenUrl: z.string().min(1).max(2_048),
    clientId: z.string().min(1).max(512),
    secret,
    scopes: z.array(z.string().max(256)).max(64).optional(),
    /** What some authorization servers want besides: `audience` or `resource`. */
    parameters: z.record(name, z.string().max(2_048)).default({}),
    /** How the client says who it is (RFC 6749 section 2.3.1). */
    authentication: z.enum(['basic', 'body']).default('basic'),
  }),
]);

export type CredentialDefinition = z.output<typeof credential>;
export type ClientCredentials = Extract<CredentialDefinition, { type: 'oauth_client_credentials' }>;
