import type { ResponseDefinition } from './response-definition.js';

type Errors = ResponseDefinition['errors'];

/** Whether a status is an error, as the definition says; a redirect that was not followed, and what is no status, always is. */
export function isErrorStatus(status: number, { statuses }: Errors): boolean {
  return (
    matches(status, (key) => statuses.includes(key)) ||
    (status >= 300 && status < 400 && status !== 304) ||
    status > 599
  );
}

/** What the definition says to tell of a status, the status itself before its class. */
export function messageOf(status: number, { messages }: Errors): string | undefined {
  return messages[String(status)] ?? messages[classOf(status)];
}

function matches(status: number, has: (key: string) => boolean): boolean {
  return has(String(status)) || has(classOf(status));
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}XX`;
}
