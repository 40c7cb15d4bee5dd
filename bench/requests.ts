const PROTOCOL_VERSION = '2026-07-28';

/** One MCP request as it goes over the wire, the same for every server under load. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The header fields of a request that carries this access token. */
export function withToken({ headers }: McpRequest, token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` };
}

/** The tool that is called everywhere. It is listed last, so that a search through the list would show. */
export const ECHO_TOOL = 'echo';

export const ECHO_TEXT = 'The quick brown fox jumps over the lazy dog.';

export const callEcho = mcpRequest('tools/call', { name: ECHO_TOOL, arguments: { text: ECHO_TEXT } }, ECHO_TOOL);

/** The HTTP tool, and what it is called with. */
export const ORDER_TOOL = 'find_order';
export const callOrder = mcpRequest('tools/call', { name: ORDER_TOOL, arguments: { id: 'order-1' } }, ORDER_TOOL);

export const listTools = mcpRequest('tools/list', {});

/** Opens a listen stream that wants to hear of changed tools. `id` names the subscription. */
export function listenRequest(id: number): McpRequest {
  return mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, undefined, id);
}

/** A request with the `_meta` and the headers that the Streamable HTTP transport requires of a client. */
function mcpRequest(method: string, params: object, name?: string, id = 1): McpRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'causeway-bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': PROTOCOL_VERSION,
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  };
}
