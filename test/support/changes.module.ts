import type { Type } from '@nestjs/common';
import { z } from 'zod';
import { McpModule, Resource, Tool, type ToolContext } from '#authoring/index.js';
import { ChangeRelay } from '#events/change-relay.js';
import type { OutboxEntry } from '#events/outbox.js';
import { appendToOutbox } from '#persistence/append-to-outbox.js';
import { Database } from '#persistence/database.js';

const Registration = z.object({ number: z.int(), die: z.boolean().default(false) });

/** Registers modules for the tenant that calls, and says that a resource has changed. */
@McpModule({ name: 'changes', title: 'Changes' })
export class ChangesModule {
  constructor(
    private readonly database: Database,
    private readonly relay: ChangeRelay,
  ) {}

  @Tool({ name: 'register', description: 'Registers the tool of this number.', input: Registration })
  async register({ number, die }: z.infer<typeof Registration>, { tenant }: ToolContext): Promise<string> {
    const entries = await this.commit(tenant, `numbered-${number}`);
    if (die) process.kill(process.pid, 'SIGKILL');
    await this.relay.send(entries);
    return 'Registered.';
  }

  @Tool({ name: 'touch', description: 'Says that the counter has changed.' })
  async touch(_arguments: unknown, context: ToolContext): Promise<string> {
    await context.resourceUpdated('changes://counter');
    return 'Touched.';
  }

  @Resource({ name: 'counter', uri: 'changes://counter' })
  counter(): string {
    return '1';
  }

  private commit({ id, slug }: ToolContext['tenant'], module: string): Promise<readonly OutboxEntry[]> {
    return this.database.client.$transaction(async (transaction) => {
      await transaction.activation.create({ data: { tenantId: id, module } });
      const { revision } = await transaction.tenant.update({ where: { id }, data: { revision: { increment: 1 } } });
      return appendToOutbox(transaction, [{ type: 'catalogue', tenantId: id, slug, revision }]);
    });
  }
}

/** A module `numbered-N` with one tool of that name. */
export function numberedModule(number: number): Type {
  class NumberedModule {
    answer(): string {
      return String(number);
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(NumberedModule.prototype, 'answer')!;
  Tool({ name: `numbered-${number}`, description: 'Tells its number.' })(
    NumberedModule.prototype,
    'answer',
    descriptor,
  );
  McpModule({ name: `numbered-${number}`, title: `Numbered ${number}` })(NumberedModule);
  return NumberedModule;
}
