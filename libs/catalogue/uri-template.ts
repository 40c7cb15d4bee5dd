// TEMPORARY placeholder so that the tree builds: the real one overwrites this file entirely.
export interface UriTemplate {
  readonly text: string;
  readonly variables: readonly string[];
  match(uri: string): Record<string, string> | undefined;
}
export function parseUriTemplate(text: string): UriTemplate {
  const variables = [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] as string);
  const re = new RegExp('^' + text.split(/\{\w+\}/).map((p) => p.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^/]+)') + '$');
  return { text, variables, match: (uri) => { const m = re.exec(uri); return m ? Object.fromEntries(variables.map((v, i) => [v, decodeURIComponent(m[i + 1] as string)])) : undefined; } };
}
