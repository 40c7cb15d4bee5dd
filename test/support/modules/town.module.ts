import { z } from 'zod';
import { McpModule, Resource, type ResourceContext, ShownError, Tool } from '#authoring/index.js';

const TOWNS = ['Lisbon', 'Lima', 'Ljubljana', 'Oslo'];

/** Tools that suggest, and resources that are embedded, for tests of what is registered at run time. */
@McpModule({ name: 'town' })
export class TownModule {
  @Tool({
    name: 'search_towns',
    description: 'Finds towns',
    input: z.object({ query: z.string().max(20) }),
    output: z.object({ values: z.array(z.string()), found: z.array(z.object({ name: z.string() })) }),
  })
  search({ query }: { query: string }): { values: string[]; found: { name: string }[] } {
    if (query === 'fail') throw new ShownError('The map is lost.');
    const values = TOWNS.filter((town) => town.startsWith(query));
    return { values, found: values.map((name) => ({ name: name.toUpperCase() })) };
  }

  @Tool({ name: 'many', description: 'Finds too many', input: z.object({ query: z.string() }) })
  many(): string {
    return Array.from({ length: 250 }, (_, index) => `town ${index}`).join('\n');
  }

  @Tool({ name: 'secret_towns', description: 'x', input: z.object({ query: z.string() }), scopes: ['towns:secret'] })
  secret(): string {
    return 'Atlantis';
  }

  @Resource({ uri: 'town://asks', name: 'asks' })
  async asks(_uri: string, context: ResourceContext): Promise<string> {
    await context.elicit('which', { message: 'Which?', schema: z.object({ which: z.string() }) });
    return 'asked';
  }

  @Resource({ uri: 'town://secret', name: 'secret', scopes: ['towns:secret'] })
  hidden(): string {
    return 'Atlantis';
  }
}
