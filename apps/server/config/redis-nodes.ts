import { z } from 'zod';

const WRONG =
  'must be URLs such as redis://host:6379 or rediss://user:password@host:6379/0, separated by commas, alike but for host and port';

type Nodes = readonly [URL, ...URL[]];

/** One or several URLs of Redis that differ in nothing but where they point. */
export function redisNodes(): z.ZodType<Nodes, string | undefined> {
  return z.string(WRONG).transform((text, context) => {
    const [first, ...others] = text.split(',').map((part) => part.trim());
    const nodes = [first ?? '', ...others].map(readNode);
    const [one, ...more] = nodes;
    if (one && more.every((node) => node !== undefined && kindOf(node) === kindOf(one)))
      return nodes as unknown as Nodes;
    context.addIssue({ code: 'custom', message: WRONG });
    return z.NEVER;
  });
}

function readNode(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isRedis = ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
  return isRedis && /^\/?\d{0,5}$/.test(url.pathname) && url.search === '' && url.hash === '' ? url : undefined;
}

/** What of a URL all nodes share. */
function kindOf({ protocol, username, password, pathname }: URL): string {
  return JSON.stringify([protocol, username, password, pathname]);
}
