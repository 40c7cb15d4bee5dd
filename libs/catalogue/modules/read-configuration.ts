import { pointerTo } from '#schema/json-pointer.js';
import { issueText } from '#schema/issue-text.js';
import type { Configuration } from '../catalogue.js';
import { DefinitionError } from '../definition-error.js';
import type { CompiledModule } from '../entries.js';

/**
 * What was set for a module, as its schema lets it through. Nothing may be set for a module without one.
 * @throws DefinitionError
 */
export async function readConfiguration(
  { name, configuration }: Pick<CompiledModule, 'name' | 'configuration'>,
  given: Configuration,
): Promise<Configuration> {
  const [unasked] = configuration ? [] : Object.keys(given);
  if (unasked !== undefined) {
    throw new DefinitionError(pointerTo('', unasked), `the module "${name}" takes no configuration.`, 'Leave it out.');
  }
  const checked = configuration ? await configuration.validate(given) : { value: given };
  if ('value' in checked) return Object.freeze(checked.value as Configuration);
  const told = checked.issues.map(issueText).join('; ');
  const pointer = pointerOf(checked.issues[0]?.path ?? '');
  throw new DefinitionError(
    pointer,
    `the configuration does not fit the module "${name}": ${told}.`,
    'See GET /modules.',
  );
}

/** A path of plain names and indices, such as `hosts[0].name`, as a JSON pointer; empty for any other. */
function pointerOf(path: string): string {
  if (!/^[\w-]+(?:\.[\w-]+|\[\d+\])*$/.test(path)) return '';
  return path
    .split(/[.[\]]+/)
    .filter((token) => token !== '')
    .reduce(pointerTo, '');
}
