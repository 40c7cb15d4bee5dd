import { McpModule, Tool, type ToolContext } from '#authoring/index.js';
import { ChangeRelay } from '#events/change-relay.js';
import { appendToOutbox } from '#persistence/append-to-outbox.js';
import { Database } from '#persistence/database.js';

const MODULE = 'bench-toggled';

/** Comes and goes. */
@McpModule({ name: MODULE, title: 'Toggled' })
export class ToggledModule {
  @Tool({ name: 'toggled', description: 'Comes and goes.' })
  answer(): string {
    return 'Here.';
  }
}

/** Changes the tenant that calls it as an admin would: row, revision and outbox in one transaction. */
@McpModule({ name: 'bench-toggle', title: 'Toggle' })
export class ToggleModule {
  constructor(
    private readonly database: Database,
    private readonly relay: ChangeRelay,
  ) {}

  @Tool({ name: 'toggle', description: 'Switches a tool on or off.' })
  async toggle(_arguments: unknown, { tenant: { id, slug } }: ToolContext): Promise<string> {
    const entries = await this.database.client.$transaction(async (transaction) => {
      const { count } = await transaction.activation.deleteMany({ where: { tenantId: id, module: MODULE } });
      if (count === 0) await transaction.activation.create({ data: { tenantId: id, module: MODULE } });
      const { revision } = await transaction.tenant.update({ where: { id }, data: { revision: { increment: 1 } } });
      return appendToOutbox(transaction, [{ type: 'catalogue', tenantId: id, slug, revision }]);
    });
    await this.relay.send(entries);
    return 'Done.';
  }
}
