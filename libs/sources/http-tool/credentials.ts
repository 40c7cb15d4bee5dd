import { ShownError } from '#authoring/shown-error.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import { pointerTo } from '#schema/json-pointer.js';
import type { SourceContext } from '../registered-sources.js';
import { MissingSecretError } from '../secrets/secret-vault.js';
import { AccessTokens } from './access-tokens.js';
import { percentEncode } from './argument-values.js';
import type { CredentialDefinition } from './credential-definition.js';
import { checkHeaderName } from './request-headers.js';
import { checkedUrl } from './checked-url.js';
import type { UpstreamState } from './upstream-state.js';

/** A request that is being made ready. */
export interface RequestDraft {
  path: string;
  readonly headers: Record<string, string>;
}

/** What credentials did to a request. */
export interface Presented {
  /** What must never be told: secrets, in every form in which they were sent. */
  readonly secrets: readonly string[];
  /** Takes in that the service answered 401; true when other credentials are at hand and the call is worth repeating. */
  refused(): Promise<boolean>;
}

/** Puts the credentials into a request. @throws ShownError when a secret is gone, or there is no token */
export type Present = (draft: RequestDraft, signal: AbortSignal) => Promise<Presented>;

const NOTHING: Presented = { secrets: [], refused: () => Promise.resolve(false) };
const PRINTABLE = /^[\x20-\x7e]+$/;

/** @throws DefinitionError */
export function compileCredentials(
  given: CredentialDefinition | readonly CredentialDefinition[],
  context: SourceContext,
  state: UpstreamState,
): Present {
  const isList = Array.isArray(given);
  const list = (isList ? given : [given]) as readonly CredentialDefinition[];
  const each = list.map((credential, index) => {
    check(credential, isList ? `/credentials/${index}` : '/credentials', context);
    return compileOne(credential, index, context, state);
  });
  const [only] = each;
  if (!only) return () => Promise.resolve(NOTHING);
  if (each.length === 1) return only;
  return async (draft, signal) => {
    const presented: Presented[] = [];
    for (const present of each) presented.push(await present(draft, signal));
    return {
      secrets: presented.flatMap(({ secrets }) => secrets),
      refused: async () => (await Promise.all(presented.map((one) => one.refused()))).includes(true),
    };
  };
}

function check(credential: CredentialDefinition, pointer: string, { outbound }: SourceContext): void {
  if (credential.type === 'oauth_client_credentials') checkedUrl(credential.tokenUrl, `${pointer}/tokenUrl`, outbound);
  if (credential.type !== 'api_key') return;
  const isAuthorization = credential.in === 'header' && credential.name.toLowerCase() === 'authorization';
  if (credential.in === 'header' && !isAuthorization) checkHeaderName(credential.name, `${pointer}/name`);
  if (credential.in === 'cookie' && !/^[\w.-]+$/.test(credential.name))
    throw new DefinitionError(
      pointerTo(pointer, 'name'),
      'this cannot be the name of a cookie.',
      'Use letters, digits, "-" and "_".',
    );
}

function compileOne(
  credential: CredentialDefinition,
  index: number,
  context: SourceContext,
  state: UpstreamState,
): Present {
  const read = (): Promise<string> => secretOf(credential.secret, context);
  const written = (secrets: readonly string[]): Presented => ({ ...NOTHING, secrets });
  switch (credential.type) {
    case 'bearer':
      return async (draft) => {
        const secret = await read();
        draft.headers['authorization'] = `Bearer ${secret}`;
        return written([secret]);
      };
    case 'basic':
      return async (draft) => {
        const secret = await read();
        const pair = Buffer.from(`${credential.username}:${secret}`).toString('base64');
        draft.headers['authorization'] = `Basic ${pair}`;
        return written([secret, pair]);
      };
    case 'api_key':
      return async (draft) => {
        const secret = await read();
        writeKey(draft, credential, secret);
        return written([secret, percentEncode(secret)]);
      };
    case 'oauth_client_credentials': {
      const tokens = state.tokens.get(index) ?? new AccessTokens(context.outbound, credential);
      state.tokens.set(index, tokens);
      return async (draft, signal) => {
        const secret = await read();
        const token = await tokens.get(secret, signal);
        draft.headers['authorization'] = `Bearer ${token}`;
        return { secrets: [secret, token], refused: () => tokens.refuse(token).then(() => true) };
      };
    }
  }
}

function writeKey(
  draft: RequestDraft,
  { in: place, name, prefix }: Extract<CredentialDefinition, { type: 'api_key' }>,
  secret: string,
): void {
  const value = `${prefix}${secret}`;
  if (place === 'header') draft.headers[name.toLowerCase()] = value;
  else if (place === 'query')
    draft.path += `${draft.path.includes('?') ? '&' : '?'}${percentEncode(name)}=${percentEncode(value)}`;
  else
    draft.headers['cookie'] = [draft.headers['cookie'], `${name}=${percentEncode(value)}`].filter(Boolean).join('; ');
}

/** The secret, without the line break that often ends what was pasted. @throws ShownError */
async function secretOf(name: string, { secrets, tenant }: SourceContext): Promise<string> {
  const value = await secrets.read(tenant.id, name).catch((error: unknown) => {
    if (!(error instanceof MissingSecretError)) throw error;
    throw new ShownError(
      `The credentials are missing: there is no secret "${name}". The tenant's admin must store it.`,
    );
  });
  const secret = value.trimEnd();
  if (PRINTABLE.test(secret)) return secret;
  throw new ShownError(`The secret "${name}" cannot be sent. The tenant's admin must store it as printable ASCII.`);
}
