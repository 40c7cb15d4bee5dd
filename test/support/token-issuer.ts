import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWK } from 'jose';

/** Somebody who signs tokens with one key. */
export class TokenIssuer {
  private constructor(
    readonly kid: string,
    readonly alg: string,
    private readonly privateKey: GenerateKeyPairResult['privateKey'],
    /** The public key, as a key set has it. */
    readonly jwk: JWK,
  ) {}

  static async create(kid = 'key-1', alg = 'ES256'): Promise<TokenIssuer> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    return new TokenIssuer(kid, alg, privateKey, { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  }

  get publicKey(): KeyObject {
    return createPublicKey({ key: this.jwk as object as JsonWebKey, format: 'jwk' });
  }

  /** Signs these claims; members of the header that are given win, undefined leaves one out. */
  sign(claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return this.signText(JSON.stringify(claims), header);
  }

  /** Signs any text as the payload. */
  signText(payload: string, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const all = Object.entries({ alg: this.alg, kid: this.kid, ...header }).filter(
      ([, value]) => (value as unknown) !== undefined,
    );
    return new CompactSign(Buffer.from(payload))
      .setProtectedHeader(Object.fromEntries(all) as { alg: string })
      .sign(this.privateKey, { crit: { extension: true } });
  }
}

/** A token in compact form from whatever parts; nothing is checked. */
export function compact(header: unknown, payload: unknown, signature = ''): string {
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode(header)}.${encode(payload)}.${signature}`;
}

export function nowS(): number {
  return Math.floor(Date.now() / 1_000);
}
