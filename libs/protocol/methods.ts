/** Client requests of the modern era. A method that is not here does not exist there: -32601. */
export const MODERN_METHODS = [
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
] as const;

export type ModernMethod = (typeof MODERN_METHODS)[number];

/** Methods that may end in an `input_required` result (specification: basic/patterns/mrtr, "Supported Requests"). */
export type RoundMethod = 'tools/call' | 'resources/read' | 'prompts/get';

const known: ReadonlySet<string> = new Set(MODERN_METHODS);

export function isModernMethod(method: string): method is ModernMethod {
  return known.has(method);
}

/** The member of `params` that `Mcp-Name` mirrors, by method (specification: basic/transports/streamable-http). */
export const NAMED_BY: Readonly<Partial<Record<ModernMethod, 'name' | 'uri'>>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
};
