import {
  CanActivate,
  ExecutionContext,
  ForbiddenException,
  Injectable,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import type { CallHandler, NestInterceptor, PipeTransform } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { z } from 'zod';
import {
  Complete,
  content,
  McpModule,
  Prompt,
  Resource,
  ResourceNotFoundError,
  ResourceTemplate,
  ShownError,
  Tool,
  ToolResult,
  type PromptContext,
  type ResourceContext,
  type ToolContext,
} from '#authoring/index.js';

const Name = z.object({ name: z.string().min(1) });

/** What handlers did, for tests to look at. */
export const seen = { steps: 0, runs: 0, aborted: 0, finallyRan: 0 };

@Injectable()
class NotOnMondays implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [args] = context.getArgs<[{ day?: string }]>();
    if (context.getType<string>() !== 'mcp') throw new Error('not a primitive');
    if (args.day === 'Monday') throw new ForbiddenException('Closed on Mondays.');
    return args.day !== 'Tuesday';
  }
}

@Injectable()
class Shout implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value) => String(value).toUpperCase()));
  }
}

class Trim implements PipeTransform {
  transform(value: { text: string }): { text: string } {
    return { text: value.text.trim() };
  }
}

/** Handlers for the tests of the wire: each does one thing that a test looks at. */
@McpModule({ name: 'workshop' })
export class WorkshopModule {
  @Tool({ description: 'Guarded', input: { type: 'object', properties: { day: { type: 'string' } } } })
  @UseGuards(NotOnMondays)
  guarded(): string {
    return 'open';
  }

  @Tool({ description: 'Intercepted' })
  @UseInterceptors(Shout)
  shout(): string {
    return 'quiet';
  }

  @Tool({
    description: 'Piped',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  })
  @UsePipes(new Trim())
  trim({ text }: { text: string }, context: ToolContext): string {
    return `[${text}] for ${context.tenant.slug}`;
  }

  @Tool({ description: 'Throws' })
  crash(): never {
    throw new Error('the password is hunter2');
  }

  @Tool({ description: 'Rejects' })
  async crashLater(): Promise<never> {
    throw new TypeError('the password is hunter2');
  }

  @Tool({ description: 'Says why' })
  say(): never {
    throw new ShownError('The printer is out of paper.');
  }

  @Tool({ description: 'Breaks its promise', output: z.object({ id: z.string() }) })
  broken(): { id: string } {
    return { id: 7 as unknown as string };
  }

  @Tool({ description: 'Any JSON', output: { type: 'array', items: { type: 'integer' } } })
  numbers(): number[] {
    return [1, 2, 3];
  }

  @Tool({ description: 'Result in full', output: z.object({ ok: z.boolean() }) })
  full(): ToolResult {
    return new ToolResult({
      structuredContent: { ok: true },
      content: [content.text('fine')],
      _meta: { 'com.example/x': 1 },
    });
  }

  @Tool({ description: 'Says less than it promised', output: z.object({ ok: z.boolean() }) })
  unstructured(): ToolResult {
    return new ToolResult({ content: [content.text('fine')] });
  }

  @Tool({ description: 'No JSON' })
  cyclic(): ToolResult {
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    return new ToolResult({ _meta: circle });
  }

  @Tool({ description: 'Too slow', timeoutMs: 50 })
  async sleep(_arguments: unknown, { signal }: ToolContext): Promise<string> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    return 'never seen';
  }

  @Tool({ description: 'Slow', timeoutMs: 1_000 })
  doze(arguments_: unknown, context: ToolContext): Promise<string> {
    return this.sleep(arguments_, context);
  }

  @Tool({ description: 'Waits for the client to go' })
  async linger(_arguments: unknown, context: ToolContext): Promise<string> {
    context.progress(1);
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve(), { once: true }));
    seen.aborted += 1;
    context.progress(2);
    return 'never seen';
  }

  @Tool({ description: 'Much at once, for a reader that reads' })
  burst(_arguments: unknown, context: ToolContext): string {
    context.log('info', 'x'.repeat(1_500_000));
    for (let sent = 1; sent <= 2_000; sent += 1) context.progress(sent, 2_000, 'x'.repeat(400));
    return 'all sent';
  }

  @Tool({ description: 'More progress than anyone reads' })
  async flood(_arguments: unknown, context: ToolContext): Promise<string> {
    for (let sent = 1; sent <= 2_000 && !context.signal.aborted; sent += 1) {
      context.progress(sent, 2_000, 'x'.repeat(16 * 1024));
      if (sent % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    seen.aborted += context.signal.aborted ? 1 : 0;
    return 'all sent';
  }

  @Tool({
    description: 'A large answer',
    input: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
  })
  large({ size }: { size: number }): string {
    return 'x'.repeat(size);
  }

  @Tool({ description: 'Progress that falls back' })
  progress(_arguments: unknown, context: ToolContext): string {
    for (const value of [1, 3, 2, 3, 4, Number.NaN]) context.progress(value, 4, `at ${value}`);
    context.log('debug', 'small');
    context.log('error', { big: true }, 'workshop');
    return 'done';
  }

  @Tool({
    description: 'Mirrored',
    input: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        place: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
        quiet: { type: 'boolean', 'x-mcp-header': 'Quiet' },
      },
    },
  })
  mirrored(args: object): object {
    return args;
  }

  @Tool({ description: 'Asks twice', output: z.object({ name: z.string(), age: z.number(), ticket: z.string() }) })
  async interview(_arguments: unknown, context: ToolContext) {
    seen.runs += 1;
    try {
      const first = await context.elicit('name', { message: 'Your name?', schema: Name });
      if (first.action !== 'accept') return context.refused('Then not.');
      const ticket = await context.step('ticket', () => `ticket ${(seen.steps += 1)}`);
      const second = await context.elicit('age', { message: 'Your age?', schema: z.object({ age: z.int().min(0) }) });
      if (second.action !== 'accept') return context.refused('Then not.');
      return { name: first.content.name, age: second.content.age, ticket };
    } finally {
      seen.finallyRan += 1;
    }
  }

  @Tool({ description: 'Asks everything at once' })
  async survey(_arguments: unknown, context: ToolContext): Promise<string> {
    const [form, sample, roots] = await Promise.all([
      context.elicit('form', { message: 'Who?', schema: Name }),
      context.sample('model', { messages: [{ role: 'user', content: content.text('Hi') }], maxTokens: 10 }),
      context.roots('roots'),
    ]);
    return `${form.action} ${sample.model} ${roots.length}`;
  }

  @Tool({ description: 'Does things beside a question' })
  async busy(_arguments: unknown, context: ToolContext): Promise<string> {
    const steps = async (): Promise<void> => {
      for (const name of ['one', '__proto__', 'three']) {
        await context.step(name, async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          seen.steps += 1;
        });
      }
    };
    await Promise.all([steps(), context.elicit('name', { message: 'Your name?', schema: Name })]);
    return `${seen.steps} steps`;
  }

  @Tool({ description: 'Gives up when its client goes' })
  async fragile(_arguments: unknown, context: ToolContext): Promise<string> {
    await context.elicit('name', { message: 'Your name?', schema: Name });
    seen.runs += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve('done'), 300);
      context.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(context.signal.reason as Error);
      });
    });
  }

  @Tool({ description: 'Asks, then asks for more than the client may have' })
  async demanding(_arguments: unknown, context: ToolContext): Promise<string> {
    await context.elicit('name', { message: 'Your name?', schema: Name });
    await context.step('once', () => (seen.steps += 1));
    const roots = await context.roots('roots');
    return `${roots.length} roots, ${seen.steps} steps`;
  }

  @Tool({ description: 'Opens a page', input: { type: 'object' } })
  async page(_arguments: unknown, context: ToolContext): Promise<string> {
    const { action } = await context.elicit('page', { message: 'Please sign', url: 'https://example.com/sign' });
    return action;
  }

  @Tool({ description: 'Asks without end' })
  async endless(_arguments: unknown, context: ToolContext): Promise<string> {
    for (let round = 0; ; round += 1) await context.elicit(`q${round}`, { message: 'More?', schema: Name });
  }

  @Tool({ description: 'Swallows what is thrown' })
  async swallow(_arguments: unknown, context: ToolContext): Promise<string> {
    try {
      await context.elicit('name', { message: 'Your name?', schema: Name });
    } catch {
      return 'swallowed';
    }
    return 'answered';
  }

  @Tool({ description: 'Forgets to wait' })
  forget(_arguments: unknown, context: ToolContext): string {
    void context.elicit('name', { message: 'Your name?', schema: Name });
    return 'forgot';
  }

  @Tool({ description: 'Wants more than it is granted', scopes: ['workshop:admin'] })
  secret(): string {
    return 'secret';
  }

  @Tool({
    description: 'Changes a resource',
    input: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
  })
  async touch({ uri }: { uri: string }, context: ToolContext): Promise<string> {
    await context.resourceUpdated(uri);
    return 'touched';
  }

  @Resource({ uri: 'workshop://sign', mimeType: 'text/plain', ttlMs: 5_000, cacheScope: 'public' })
  sign(): string {
    return 'Workshop';
  }

  @Resource({ uri: 'workshop://bytes', mimeType: 'application/octet-stream' })
  bytes(): Uint8Array {
    return new Uint8Array([0, 255, 128]);
  }

  @Resource({ uri: 'workshop://nothing' })
  nothing(): never[] {
    return [];
  }

  @Resource({ uri: 'workshop://asks' })
  async asks(_uri: string, context: ResourceContext): Promise<string> {
    const answer = await context.elicit('name', { message: 'Who reads?', schema: Name });
    return answer.action === 'accept' ? `for ${answer.content.name}` : 'for nobody';
  }

  @ResourceTemplate({ uriTemplate: 'workshop://drawer/{drawer}/{+path}' })
  drawer({ drawer, path }: { drawer: string; path: string }, { uri }: ResourceContext): string {
    if (drawer === 'empty') throw new ResourceNotFoundError(uri);
    return `${drawer}: ${path}`;
  }

  @Prompt({
    input: z.object({ what: z.string(), how: z.enum(['fast', 'slow', 'Sloppy']).optional() }),
    description: 'Asks for work',
  })
  work({ what, how }: { what: string; how?: string | undefined }): string {
    return `Please ${what}${how === undefined ? '' : `, ${how}`}.`;
  }

  @Prompt()
  async asking(_arguments: unknown, context: PromptContext): Promise<string> {
    const answer = await context.elicit('name', { message: 'For whom?', schema: Name });
    return answer.action === 'accept' ? `Write to ${answer.content.name}.` : 'Write to nobody.';
  }

  @Complete({ prompt: 'work', argument: 'what' })
  what(value: string): string[] {
    return Array.from({ length: 150 }, (_, number) => `${value}${number}`);
  }
}
