// Stands for a host: lists the tools of a tenant, and says what is different whenever it hears that they have changed.
//   node examples/watch-tools.mjs [URL]
// Register, change or delete tools meanwhile; Ctrl+C ends it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url = 'http://127.0.0.1:3000/t/demo/mcp'] = process.argv.slice(2);
const client = new Client(
  { name: 'watch-tools', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
} catch (error) {
  const advice =
    error.data?.status === 401
      ? 'the tenant wants sign-in; this shows open ones.'
      : 'is it running (npm start), and is this the URL that it printed?';
  console.error(`Cannot talk to ${url}: ${advice}\n${error.message}`);
  process.exit(1);
}

let known = await tools();
console.log('tools   ', [...known.keys()].join(', '));
client.setNotificationHandler('notifications/tools/list_changed', () => void tell().catch(console.error));
await client.listen({ toolsListChanged: true });
console.log('listening; register a tool and see');

async function tools() {
  const found = new Map();
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { cacheMode: 'refresh' });
    for (const tool of page.tools) found.set(tool.name, JSON.stringify(tool));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

async function tell() {
  const before = known;
  known = await tools();
  const added = [...known.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !known.has(name));
  const changed = [...known]
    .filter(([name, text]) => before.has(name) && before.get(name) !== text)
    .map(([name]) => name);
  console.log('heard   ', { added, removed, changed });
  for (const name of added) {
    const { content, isError } = await client.callTool({ name, arguments: {} });
    console.log(isError ? 'refused ' : 'called  ', name, content?.[0]?.text ?? content);
  }
}
