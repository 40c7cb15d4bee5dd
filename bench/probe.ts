import { ECHO_TEXT, type McpRequest } from './requests.js';

/** Whether a JSON-RPC result is the one that was asked for. */
export type Check = (result: object) => boolean;

export const echoesText: Check = (result) => {
  const { content } = result as { content?: readonly { type?: string; text?: string }[] };
  return content?.length === 1 && content[0]?.type === 'text' && content[0].text === ECHO_TEXT;
};

export const findsOrder: Check = (result) =>
  (result as { structuredContent?: { id?: unknown } }).structuredContent?.id === 'order-1';

export function listsTools(count: number): Check {
  return (result) => (result as { tools?: readonly unknown[] }).tools?.length === count;
}

/** Sends the request once and returns the response's body. @throws Error when it is not what the request is for. */
export async function probe(url: string, request: McpRequest, check: Check): Promise<string> {
  const response = await fetch(url, { method: 'POST', ...request, signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  const about = `${url} answered ${response.status} ${response.headers.get('content-type') ?? ''}: ${body.slice(0, 300)}`;
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('application/json'))
    throw new Error(about);
  const { id, result } = JSON.parse(body) as { id?: unknown; result?: object & { isError?: boolean } };
  if (id !== 1 || result === undefined || result.isError === true || !check(result)) throw new Error(about);
  return body;
}
