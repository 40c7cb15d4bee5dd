import { DefinitionError } from '#catalogue/definition-error.js';
import { parseParts } from '#catalogue/uri-template-grammar.js';
import { KnownArguments } from '../http-tool/known-arguments.js';

/** The variables of a URI template, as what a request to a service can be made of. */
export class TemplateVariables extends KnownArguments {
  private readonly variables: ReadonlySet<string>;
  /** Those that every URI of the template has. */
  private readonly certain: ReadonlySet<string>;

  /** @param template one that was found good; empty for none */
  constructor(template: string) {
    super();
    const expressions = parseParts(template).filter((part) => typeof part !== 'string');
    const namesIn = (list: typeof expressions): string[] =>
      list.flatMap(({ variables }) => variables.map(({ name }) => name));
    this.variables = new Set(namesIn(expressions));
    const plain = expressions.filter(({ operator, variables }) => operator === '' && variables.length === 1);
    this.certain = new Set(namesIn(plain));
  }

  override use(name: string, pointer: string): void {
    if (this.variables.has(name)) return;
    const known = [...this.variables].join(', ') || 'no variables';
    throw new DefinitionError(pointer, `the uriTemplate has no variable "${name.slice(0, 64)}".`, `It has: ${known}.`);
  }

  override mustBeRequired(name: string, pointer: string): void {
    if (this.certain.has(name)) return;
    throw new DefinitionError(
      pointer,
      `the path needs "${name.slice(0, 64)}", which a URI may leave out.`,
      'Write {/name} for a segment that may be absent.',
    );
  }
}
