// Everything a host does, with the official client: node examples/try-demo.mjs [URL]
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const url = new URL(process.argv[2] ?? 'http://127.0.0.1:3000/t/demo/mcp');
const client = new Client(
  { name: 'try-demo', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
);

// The user: answers the two questions of plan_trip.
client.setRequestHandler('elicitation/create', ({ params }) => {
  const answers = { city: 'Lisbon', day: '2026-12-24' };
  const [field] = Object.keys(params.requestedSchema.properties);
  console.log(`  asked: ${params.message} → ${answers[field]}`);
  return { action: 'accept', content: { [field]: answers[field] } };
});

await client.connect(new StreamableHTTPClientTransport(url)).catch((error) => {
  const advice =
    error.data?.status === 401
      ? `the tenant wants sign-in: node examples/sign-in.mjs ${url}`
      : 'is it running (npm start), and is this the URL that it printed?';
  console.error(`Cannot talk to ${url}: ${advice}\n${error.message}`);
  process.exit(1);
});
console.log('server  ', client.getServerVersion(), client.getInstructions());

const { tools } = await client.listTools();
console.log('tools   ', tools.map((tool) => tool.name).join(', '));

const sum = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
console.log('add     ', sum.structuredContent);

const counted = await client.callTool(
  { name: 'count_slowly', arguments: { seconds: 3 } },
  { onprogress: ({ progress, total }) => console.log(`  progress ${progress}/${total}`) },
);
console.log('count   ', counted.content[0].text);

const trip = await client.callTool({ name: 'plan_trip', arguments: {} });
console.log('trip    ', trip.structuredContent);

const note = await client.readResource({ uri: 'demo://notes/welcome' });
console.log('note    ', note.contents[0].text.split('\n')[0]);

const { completion } = await client.complete({
  ref: { type: 'ref/prompt', name: 'translate' },
  argument: { name: 'language', value: 'e' },
});
console.log('complete', completion.values);

const prompt = await client.getPrompt({
  name: 'translate',
  arguments: { text: 'Good morning', language: completion.values[0] },
});
console.log('prompt  ', prompt.messages[0].content.text);

const heard = new Promise((resolve) => {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
});
const subscription = await client.listen({ resourceSubscriptions: ['demo://counter'] });
await client.callTool({ name: 'count', arguments: {} });
console.log('heard   ', await heard, 'changed');
await subscription.close();
await client.close();
