import { keepLatest } from '#protocol/keep-latest.js';
import type { SigningKeys } from '../keys/signing-keys.js';
import { type Issuer, openProvider } from './open-provider.js';
import type { ProviderParts } from './provider-parts.js';

/** How many issuers are kept open; those not asked for lately go first. Only the host form has more than one. */
const MAX_OPEN = 200;

interface OpenIssuer extends Issuer {
  readonly keyVersion: string;
}

/** The authorization servers of this platform: one for each origin, made when it is first asked for. */
export class Issuers {
  private readonly open = new Map<string, OpenIssuer>();

  constructor(
    private readonly parts: ProviderParts,
    private readonly keys: SigningKeys,
  ) {}

  /** The issuer of this origin, with the keys of this minute; undefined when the origin is nobody's. */
  async find(origin: string): Promise<Issuer | undefined> {
    if (!(await this.isOurs(origin))) return undefined;
    const keySet = await this.keys.set();
    const known = this.open.get(origin);
    const issuer =
      known?.keyVersion === keySet.version
        ? known
        : { ...openProvider({ ...this.parts, issuer: origin, keySet }), keyVersion: keySet.version };
    keepLatest(this.open, origin, issuer, MAX_OPEN);
    return issuer;
  }

  /** The platform's origin, and the origins of tenants that want tokens. */
  private async isOurs(origin: string): Promise<boolean> {
    const { places } = this.parts.resources;
    if (origin === places.publicOrigin()) return true;
    return (await this.parts.resources.ofIssuer(origin)) !== undefined;
  }
}
