import { resolve } from 'node:path';
import { DirectoryInUseError } from '#persistence/directory-lock.js';
import { ConfigurationError } from './config/config.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Why the platform did not start, in words that tell what to do. */
export function explainBootError(error: unknown, variables: Variables): string {
  if (error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) return `Causeway did not start: ${String(error)}`;
  return `Causeway did not start: ${adviceFor(error, variables) ?? error.message}`;
}

function adviceFor(error: Error, variables: Variables): string | undefined {
  if (error instanceof DirectoryInUseError)
    return `${error.message} A directory of its own: DATA_DIR=/some/where npm start`;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const port = Number(variables['PORT'] ?? 3000);
  if (code === 'EADDRINUSE')
    return `port ${port} is taken. Stop what listens there, or choose another: PORT=${port + 1} npm start`;
  if (syscall === 'listen' && code === 'EACCES')
    return `port ${port} may not be opened by this user. Choose one above 1023: PORT=3000 npm start`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0.`;
  if (syscall === 'mkdir' && path !== undefined)
    return `DATA_DIR cannot be used: ${resolve(path)} cannot be made a directory (${code}).`;
  return undefined;
}
