import type { ServerResponse } from 'node:http';

export interface CookieOptions {
  readonly path: string;
  readonly maxAgeS: number;
}

interface Place {
  readonly response: ServerResponse;
  readonly origin: string;
}

/** Sets a cookie that scripts do not see and other sites do not send. */
export function setCookie(
  { response, origin }: Place,
  name: string,
  value: string,
  { path, maxAgeS }: CookieOptions,
): void {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  response.appendHeader(
    'set-cookie',
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`,
  );
}

export function clearCookie(place: Place, name: string, path: string): void {
  setCookie(place, name, '', { path, maxAgeS: 0 });
}
