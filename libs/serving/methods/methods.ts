import type { ModernMethod } from '#protocol/methods.js';
import type { Departure, Exchange } from '../exchange.js';
import type { Stages } from '../stages.js';
import { callTool } from './call-tool.js';
import { complete } from './complete.js';
import { discover } from './discover.js';
import { getPrompt } from './get-prompt.js';
import { list } from './list.js';
import { listen } from './listen.js';
import { readResource } from './read-resource.js';

export type Method = (exchange: Exchange, stages: Stages) => Departure | Promise<Departure>;

/** Every method of the modern era. */
export const METHODS: Readonly<Record<ModernMethod, Method>> = {
  'server/discover': discover,
  'tools/list': list('tools', 'tools'),
  'tools/call': callTool,
  'resources/list': list('resources', 'resources'),
  'resources/templates/list': list('templates', 'resourceTemplates'),
  'resources/read': readResource,
  'prompts/list': list('prompts', 'prompts'),
  'prompts/get': getPrompt,
  'completion/complete': complete,
  'subscriptions/listen': listen,
};
