import { Complete, McpModule, Prompt, Resource, ResourceTemplate, Tool, type ToolContext } from '#authoring/index.js';

/** A module whose primitives want scopes. */
@McpModule({ name: 'vault' })
export class VaultModule {
  @Tool({ description: 'Wants nothing' })
  whoami(_arguments: unknown, { principal }: ToolContext): object {
    return { subject: principal.subject, client: principal.clientId ?? null, scopes: [...principal.scopes].sort() };
  }

  @Tool({ description: 'Wants one scope', scopes: ['vault:read'] })
  peek(): string {
    return 'gold';
  }

  @Tool({ description: 'Wants two scopes', scopes: ['vault:write', 'audit'] })
  wipe(): string {
    return 'wiped';
  }

  @Tool({ description: 'Changes the plain and the locked', scopes: ['vault:write'] })
  async change(_arguments: unknown, context: ToolContext): Promise<string> {
    await context.resourceUpdated('vault://locked/box');
    await context.resourceUpdated('vault://plain');
    return 'changed';
  }

  @Resource({ uri: 'vault://plain' })
  plain(): string {
    return 'plain';
  }

  @Resource({ uri: 'vault://locked/box', scopes: ['vault:read'] })
  box(): string {
    return 'gold';
  }

  @ResourceTemplate({ uriTemplate: 'vault://locked/{name}', scopes: ['vault:read'] })
  locked({ name }: { name: string }): string {
    return name;
  }

  @ResourceTemplate({ uriTemplate: 'vault://{+path}' })
  wide({ path }: { path: string }): string {
    return `wide ${path}`;
  }

  @Prompt({
    scopes: ['vault:read'],
    input: { type: 'object', properties: { what: { type: 'string' } } },
  })
  plan(): string {
    return 'a plan';
  }

  @Complete({ prompt: 'plan', argument: 'what' })
  what(): string[] {
    return ['gold'];
  }
}
