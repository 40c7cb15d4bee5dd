/** Which pages and names may reach the endpoints: protection against DNS rebinding (specification: streamable-http, "Security & Endpoint"). */
export interface OriginPolicy {
  /** Whether the `Origin` of a browser's request is trusted. */
  allowsOrigin(origin: string): boolean;
  /** Whether the `Host` is a name of this server. */
  allowsHost(host: string): boolean;
}

export interface OriginSettings {
  /** The public origin, such as `https://mcp.example.com`. */
  readonly publicOrigin: () => string;
  /** Further origins whose pages may call, such as a browser client's. */
  readonly allowedOrigins: readonly string[];
  /** True when the server is for its own machine: local pages may call, and only local names are answered. */
  readonly loopback: boolean;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

export function originPolicy(settings: OriginSettings): OriginPolicy {
  const allowed = new Set(settings.allowedOrigins);
  let lastGoodHost = '';
  return {
    allowsOrigin: (origin) => {
      if (allowed.has(origin) || origin === settings.publicOrigin()) return true;
      const [, host = ''] = /^https?:\/\/([^/]+)$/.exec(origin) ?? [];
      return settings.loopback && LOOPBACK_HOST.test(host);
    },
    allowsHost: (host) => {
      if (!settings.loopback || host === lastGoodHost) return true;
      if (!LOOPBACK_HOST.test(host) && !isOwnHost(host, settings.publicOrigin())) return false;
      lastGoodHost = host;
      return true;
    },
  };
}

function isOwnHost(host: string, publicOrigin: string): boolean {
  const { host: own } = new URL(publicOrigin);
  return host === own || host.endsWith(`.${own}`);
}
