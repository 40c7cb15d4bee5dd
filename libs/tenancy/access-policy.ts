import { z } from 'zod';

/** One character of a scope and more (RFC 6749 section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;
const MAX_SCOPES = 500;

/** The scope that every tenant has: to connect. It keeps the set of scopes from being empty, and permits nothing more. */
export const CONNECT_SCOPE = 'mcp';

/** Stands for every scope where a role lists what it may grant. */
export const EVERY_SCOPE = '*';

/** What is said of members that are not known; `known` could stand in their place. */
export type SayUnknown = (unknown: readonly string[], known: readonly string[]) => string;

/** Makes the schema of an object: lenient or strict. */
type ObjectMaker = <T extends z.ZodRawShape>(shape: T) => z.ZodObject<T>;

const scope = z.string().regex(SCOPE, 'must be a scope: printable ASCII without spaces, quotes or backslashes');
const scopes = z.array(scope).max(MAX_SCOPES).readonly();

const lenient: ObjectMaker = (shape) => z.object(shape);

function strict(sayUnknown: SayUnknown): ObjectMaker {
  return (shape) =>
    z.strictObject(shape, {
      error: (issue) => (issue.code === 'unrecognized_keys' ? sayUnknown(issue.keys, Object.keys(shape)) : undefined),
    });
}

function declaration(object: ObjectMaker) {
  return object({
    name: scope,
    /** What people read when they are asked for it, in the words of the tenant's admin. */
    description: z.string().max(500).optional(),
    /** Scopes that come with it. */
    implies: scopes.default([]),
  }).readonly();
}

function externalIssuer(object: ObjectMaker) {
  return object({
    /** As it writes itself in `iss`, byte for byte. */
    issuer: z.url({ protocol: /^https?$/ }).max(2_048),
    /** The audience of its tokens, when it cannot be the tenant's URL. */
    expectedAudience: z.string().min(1).max(2_048).optional(),
    /** The claims that hold scopes or groups, such as `scope`, `scp` or `groups`. */
    scopeClaims: z.array(z.string().min(1).max(128)).min(1).max(8).readonly().default(['scope', 'scp']),
    /** From its scopes or groups to the tenant's scopes. What is not named passes as it is, unless `onlyMapped`. */
    scopeMap: z.record(z.string().max(512), scopes).readonly().default({}),
    onlyMapped: z.boolean().default(false),
  }).readonly();
}

function upstreamProvider(object: ObjectMaker) {
  return object({
    issuer: z.url({ protocol: /^https?$/ }).max(2_048),
    clientId: z.string().min(1).max(512),
    /** Sealed; see `UpstreamProviders`. */
    sealedSecret: z.string().max(4_096).optional(),
    /** What the button says after "Continue with". */
    label: z.string().min(1).max(60),
    /** The role of people who come for the first time; without one, only those who are members already get in. */
    newcomerRole: z.string().max(64).optional(),
    scopes: z.array(z.string().max(128)).max(20).readonly().default(['openid', 'email', 'profile']),
  }).readonly();
}

/** How a tenant is reached, and what who may do there; part of the tenant's row, and checked whenever it is read. */
function accessPolicy(object: ObjectMaker) {
  return object({
    /** Words and implications of scopes. Scopes that primitives name need not stand here. */
    scopes: z.array(declaration(object)).max(MAX_SCOPES).readonly().default([]),
    /** What a host gets that asks for nothing in particular; every scope of the tenant when it is empty. */
    baseline: scopes.default([]),
    /** True to list primitives that the caller's scopes do not permit, so that hosts ask for more when they need it. */
    showAll: z.boolean().default(false),
    /** What each role may grant. */
    roles: z
      .record(z.string().min(1).max(64), scopes)
      .readonly()
      .default({ owner: [EVERY_SCOPE], admin: [EVERY_SCOPE], member: [EVERY_SCOPE] }),
    externalIssuer: externalIssuer(object).optional(),
    /** Whether people sign in with e-mail and password. */
    passwordSignIn: z.boolean().default(true),
    upstreamProvider: upstreamProvider(object).optional(),
  }).readonly();
}

const storedPolicy = accessPolicy(lenient);

/** How a policy looks, for documents about it. */
export const ACCESS_POLICY: z.ZodType = storedPolicy;

export type AccessPolicy = z.output<typeof storedPolicy>;
/** A policy as it is written down: what is left out takes its default. */
export type AccessPolicyInput = z.input<typeof storedPolicy>;
export type ScopeDeclaration = AccessPolicy['scopes'][number];
export type ExternalIssuer = NonNullable<AccessPolicy['externalIssuer']>;
export type UpstreamProvider = NonNullable<AccessPolicy['upstreamProvider']>;

/**
 * A policy as it was stored. Members that are not known are left out: a newer version may have written them.
 * @throws z.ZodError when the value is no policy
 */
export function readAccessPolicy(value: unknown): AccessPolicy {
  return storedPolicy.parse(value);
}

/**
 * A policy that somebody sets now: nothing in it may be unknown, and somebody must be able to sign in.
 * @throws z.ZodError when the value is no policy
 */
export function readNewAccessPolicy(value: unknown, sayUnknown: SayUnknown): AccessPolicy {
  return accessPolicy(strict(sayUnknown))
    .refine((policy) => policy.passwordSignIn || policy.upstreamProvider || policy.externalIssuer, {
      path: ['passwordSignIn'],
      error: 'without passwords nobody could sign in: false wants an upstreamProvider',
    })
    .parse(value);
}

export const DEFAULT_ACCESS_POLICY: AccessPolicy = readAccessPolicy({});
