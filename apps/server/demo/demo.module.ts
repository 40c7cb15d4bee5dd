import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  Complete,
  content,
  McpModule,
  Prompt,
  type PromptReturn,
  Resource,
  ResourceNotFoundError,
  ResourceTemplate,
  ShownError,
  Tool,
  type ToolContext,
  type ToolResult,
} from '#authoring/index.js';
import type { ContentBlock } from '#protocol/content.js';
import { colouredSquare, tone } from './demo-media.js';

const LANGUAGES = ['Bahasa Indonesia', 'Deutsch', 'English', 'Español', 'Français', 'Italiano', '日本語', 'Português'];
const NOTES: Readonly<Record<string, string>> = {
  welcome: '# Welcome\n\nThis is the demo tenant of Causeway. Every kind of primitive is here to try.\n',
  rounds: '# Rounds\n\nCall `plan_trip`: it asks twice before it answers.\n',
};
const COUNTER = 'demo://counter';

const Sum = z.object({ a: z.number().describe('The first number'), b: z.number().describe('The second number') });
const Range = z.object({ seconds: z.int().min(1).max(30).default(3).describe('How long to count') });
const Region = z.object({
  region: z
    .enum(['eu', 'us', 'asia'])
    .meta({ 'x-mcp-header': 'Region' })
    .describe('Where to look; mirrored into a header'),
});

/** Shows everything off: each kind of primitive, result and question once. */
@McpModule({
  name: 'demo',
  title: 'Causeway demo',
  instructions: 'Try `add` first, `plan_trip` to be asked questions, and `count` while you listen to demo://counter.',
})
export class DemoModule {
  private counter = 0;

  @Tool({
    title: 'Add',
    description: 'Adds two numbers.',
    input: Sum,
    output: z.object({ sum: z.number() }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  })
  add({ a, b }: z.infer<typeof Sum>): { sum: number } {
    return { sum: a + b };
  }

  @Tool({
    title: 'Echo',
    description: 'Says the same text back.',
    input: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 10_000 } },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  })
  echo({ text }: { text: string }): string {
    return text;
  }

  @Tool({
    name: 'count_slowly',
    title: 'Count slowly',
    description: 'Counts the seconds and reports progress on each.',
    input: Range,
    annotations: { readOnlyHint: true },
  })
  async countSlowly({ seconds }: z.infer<typeof Range>, context: ToolContext): Promise<string> {
    for (let second = 1; second <= seconds; second += 1) {
      await wait(1_000, undefined, { signal: context.signal });
      context.progress(second, seconds, `${second} of ${seconds}`);
      context.log('info', { second }, 'demo');
    }
    return `Counted to ${seconds}.`;
  }

  @Tool({
    name: 'plan_trip',
    title: 'Plan a trip',
    description: 'Asks where to go, then when, and answers with a plan.',
    output: z.object({ city: z.string(), day: z.string(), booking: z.string() }),
    annotations: { destructiveHint: false },
  })
  async planTrip(_arguments: unknown, context: ToolContext) {
    const where = await context.elicit('where', {
      message: 'Where do you want to go?',
      schema: z.object({ city: z.enum(['Lisbon', 'Oslo', 'Kyoto']) }),
    });
    if (where.action !== 'accept') return context.refused('No trip was planned.');
    const { city } = where.content;
    const hold = await context.step('hold', () => `HOLD-${city.toUpperCase()}`);
    const when = await context.elicit('when', {
      message: `When do you want to be in ${city}?`,
      schema: z.object({ day: z.iso.date().describe('A day, such as 2026-12-24') }),
    });
    if (when.action !== 'accept') return context.refused(`No trip to ${city} was planned.`);
    return { city, day: when.content.day, booking: hold };
  }

  @Tool({
    name: 'open_account',
    title: 'Open an account',
    description: 'Sends the user to a page, for what must not pass through the client.',
  })
  async openAccount(_arguments: unknown, context: ToolContext): Promise<string | ToolResult> {
    const page = await context.elicit('page', {
      message: 'Please sign up on this page.',
      url: 'https://example.com/sign-up',
    });
    return page.action === 'accept'
      ? 'Thank you. Come back when you are done there.'
      : context.refused('No account was opened.');
  }

  @Tool({
    name: 'show_media',
    title: 'Show media',
    description: 'Answers with text, an image, a sound, a link and an embedded resource.',
  })
  showMedia(): readonly ContentBlock[] {
    return [
      content.text('A blue square, a tone of 440 Hz, a link and a note.'),
      content.image(colouredSquare(32, [40, 90, 200]), 'image/png'),
      content.audio(tone(440, 250), 'audio/wav'),
      content.link({ uri: 'demo://logo', name: 'logo', mimeType: 'image/png' }),
      content.embedded({ uri: 'demo://notes/welcome', mimeType: 'text/markdown', text: NOTES['welcome'] ?? '' }),
    ];
  }

  @Tool({
    name: 'find_servers',
    title: 'Find servers',
    description: 'Lists servers of a region. The region travels in a header too, so that a proxy can route by it.',
    input: Region,
    output: z.object({ servers: z.array(z.string()) }),
    annotations: { readOnlyHint: true },
  })
  findServers({ region }: z.infer<typeof Region>): { servers: string[] } {
    return { servers: [1, 2, 3].map((number) => `${region}-${number}`) };
  }

  @Tool({ title: 'Count', description: 'Adds one to the counter; whoever listens to demo://counter hears of it.' })
  async count(_arguments: unknown, context: ToolContext): Promise<string> {
    this.counter += 1;
    await context.resourceUpdated(COUNTER);
    return `The counter stands at ${this.counter}.`;
  }

  @Tool({ title: 'Fail', description: 'Fails, and says why, so that you can see how errors are told.' })
  fail(): never {
    throw new ShownError('This tool always fails. That is all it does.');
  }

  @Resource({
    uri: COUNTER,
    name: 'counter',
    title: 'Counter',
    description: 'How often `count` was called.',
    mimeType: 'text/plain',
  })
  readCounter(): string {
    return String(this.counter);
  }

  @Resource({
    uri: 'demo://logo',
    name: 'logo',
    title: 'Logo',
    description: 'A picture, as bytes.',
    mimeType: 'image/png',
    ttlMs: 3_600_000,
    cacheScope: 'public',
  })
  readLogo(): Uint8Array {
    return colouredSquare(64, [40, 90, 200]);
  }

  @ResourceTemplate({
    uriTemplate: 'demo://notes/{name}',
    name: 'notes',
    title: 'Notes',
    description: 'Notes by name.',
    mimeType: 'text/markdown',
  })
  readNote({ name }: { name: string }, { uri }: { uri: string }): string {
    const note = Object.hasOwn(NOTES, name) ? NOTES[name] : undefined;
    if (note === undefined) throw new ResourceNotFoundError(uri);
    return note;
  }

  @Complete({ resourceTemplate: 'demo://notes/{name}', argument: 'name' })
  completeNote(typed: string): readonly string[] {
    return Object.keys(NOTES).filter((name) => name.startsWith(typed));
  }

  @Prompt({
    title: 'Translate',
    description: 'Asks for a translation.',
    input: z.object({
      text: z.string().describe('What to translate'),
      language: z.string().describe('Into which language'),
      tone: z.enum(['formal', 'friendly']).default('formal').describe('How it should sound'),
    }),
  })
  translate({ text, language, tone: sound }: { text: string; language: string; tone: string }): PromptReturn {
    return [content.message('user', `Translate into ${language}, in a ${sound} tone:\n\n${text}`)];
  }

  @Complete({ prompt: 'translate', argument: 'language' })
  completeLanguage(typed: string): readonly string[] {
    return LANGUAGES.filter((language) => language.toLowerCase().startsWith(typed.toLowerCase()));
  }
}
