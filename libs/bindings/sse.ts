/** One message as a server-sent event. JSON text has no line breaks, so it is one data line. */
export function sseEvent(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** A comment, which clients skip: keeps the connection open where it is quiet. */
export const SSE_KEEP_ALIVE = ':\n\n';
