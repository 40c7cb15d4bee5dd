import { z } from 'zod';
import {
  McpModule,
  Prompt,
  type PromptReturn,
  Resource,
  ResourceNotFoundError,
  ResourceTemplate,
  ShownError,
  Tool,
  type ToolContext,
} from '#authoring/index.js';
import { keepLatest } from '#protocol/keep-latest.js';

const MAX_PEOPLE = 1_000;
const MAX_NOTES = 50;

const Note = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'lower case, digits and dashes')
    .describe('What the note is called'),
  text: z.string().max(2_000).describe('What it says'),
});
const Name = Note.pick({ name: true });

interface Asking {
  readonly tenant: { readonly id: string };
  readonly principal: { readonly subject: string };
}

/** Notes that each person has for themselves, in memory: shows what scopes do. */
@McpModule({
  name: 'notes',
  title: 'Notes',
  instructions:
    'Reading notes wants the scope notes:read, writing them notes:write; a host asks for more when it needs it.',
})
export class NotesModule {
  private readonly people = new Map<string, Map<string, string>>();

  @Tool({
    name: 'who_am_i',
    title: 'Who am I',
    description: 'Says who is signed in, through which client, with which scopes.',
    output: z.object({ subject: z.string(), client: z.string(), scopes: z.array(z.string()) }),
    annotations: { readOnlyHint: true },
  })
  whoAmI(_arguments: unknown, { principal }: ToolContext): { subject: string; client: string; scopes: string[] } {
    return { subject: principal.subject, client: principal.clientId ?? '', scopes: [...principal.scopes].sort() };
  }

  @Tool({
    name: 'list_notes',
    title: 'List notes',
    description: 'Lists the names of your notes.',
    output: z.object({ names: z.array(z.string()) }),
    scopes: ['notes:read'],
    annotations: { readOnlyHint: true },
  })
  listNotes(_arguments: unknown, context: ToolContext): { names: string[] } {
    return { names: [...this.notesOf(context).keys()] };
  }

  @Tool({
    name: 'write_note',
    title: 'Write a note',
    description: 'Writes a note, over one of the same name.',
    input: Note,
    scopes: ['notes:write'],
    annotations: { destructiveHint: true, idempotentHint: true },
  })
  async writeNote({ name, text }: z.infer<typeof Note>, context: ToolContext): Promise<string> {
    const notes = this.notesOf(context);
    if (!notes.has(name) && notes.size >= MAX_NOTES)
      throw new ShownError(`There are ${MAX_NOTES} notes already. Delete one first.`);
    notes.set(name, text);
    await context.resourceUpdated(`notes://${name}`);
    return `The note "${name}" is written.`;
  }

  @Tool({
    name: 'delete_note',
    title: 'Delete a note',
    description: 'Deletes a note.',
    input: Name,
    scopes: ['notes:write'],
    annotations: { destructiveHint: true },
  })
  async deleteNote({ name }: z.infer<typeof Name>, context: ToolContext): Promise<string> {
    if (!this.notesOf(context).delete(name)) throw new ShownError(`There is no note "${name}".`);
    await context.resourceUpdated(`notes://${name}`);
    return `The note "${name}" is deleted.`;
  }

  @Resource({
    uri: 'notes://',
    name: 'all_notes',
    title: 'All notes',
    description: 'Your notes, as one text.',
    mimeType: 'text/markdown',
    scopes: ['notes:read'],
  })
  readAll(_uri: string, context: Asking): string {
    return [...this.notesOf(context)].map(([name, text]) => `# ${name}\n\n${text}\n`).join('\n');
  }

  @ResourceTemplate({
    uriTemplate: 'notes://{name}',
    name: 'note',
    title: 'A note',
    description: 'One of your notes.',
    mimeType: 'text/markdown',
    scopes: ['notes:read'],
  })
  readNote({ name }: { name: string }, context: Asking & { uri: string }): string {
    const text = this.notesOf(context).get(name);
    if (text === undefined) throw new ResourceNotFoundError(context.uri);
    return text;
  }

  @Prompt({
    name: 'summarise_notes',
    title: 'Summarise',
    description: 'Asks for a summary of your notes.',
    scopes: ['notes:read'],
  })
  summarise(_arguments: unknown, context: Asking): PromptReturn {
    return `Summarise these notes in three lines:\n\n${this.readAll('', context)}`;
  }

  /** The notes of who asks; who has not been here for longest loses theirs when there are too many people. */
  private notesOf({ tenant, principal }: Asking): Map<string, string> {
    const key = `${tenant.id} ${principal.subject}`;
    const notes = this.people.get(key) ?? new Map<string, string>([['welcome', 'This note is yours alone.']]);
    keepLatest(this.people, key, notes, MAX_PEOPLE);
    return notes;
  }
}
