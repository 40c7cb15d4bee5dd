import type { Target } from '../polls/resource-poller.js';
import { readDefinition } from '../read-definition.js';
import type { SourceContext } from '../registered-sources.js';
import { compileHttpResource } from './http-resource.js';
import { resourceDefinition } from './resource-definition.js';

/**
 * Where to look for updates of a resource, and how often; undefined when its definition does not ask for that.
 * @throws DefinitionError
 */
export function pollTarget(context: SourceContext): Target | undefined {
  const definition = readDefinition(resourceDefinition, context.source.definition);
  const { uri, updates } = definition;
  if (uri === undefined || updates?.poll === undefined) return undefined;
  const { look } = compileHttpResource(definition, context);
  return { uri, intervalSeconds: updates.poll.intervalSeconds, look };
}
