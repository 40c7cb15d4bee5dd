import { type Check, echoesText, listsTools } from '../probe.js';
import { callEcho, listTools, type McpRequest } from '../requests.js';
import type { ServerSpec } from '../server-process.js';
import { copyOfTenant } from '../tenants.js';
import { compare, type Comparison, type Side } from './comparison.js';
import type { Measure } from './measure.js';

const TENANTS = 10_000;

const causeway: ServerSpec = { program: 'causeway', options: { tools: [1, 100, 1000] } };
const manyTenants: ServerSpec = { program: 'causeway', options: { tools: [1], copies: TENANTS } };
const oneTenant: ServerSpec = { program: 'causeway', options: { tools: [1], copies: 1 } };
const bare: ServerSpec = { program: 'bare', options: {} };

const calls = (...paths: readonly string[]): Side => side(callEcho, echoesText, paths);
const lists = (path: string): Side => side(listTools, listsTools(100), [path]);
const tenantPath = (slug: string) => `/t/${slug}/mcp`;
const copies = (slug: (index: number) => string) =>
  calls(...Array.from({ length: TENANTS }, (_, index) => tenantPath(slug(index))));

function side(request: McpRequest, check: Check, paths: readonly string[]): Side {
  return { request, check, paths };
}

const callOne: Comparison['subject'] = { server: causeway, ...calls(tenantPath('bench-1')) };

/** The measures that compare the rates of two servers, or of one server asked for two things. */
export const comparisons: readonly Measure[] = [
  {
    name: 'tools_call_vs_bare',
    title: 'tools/call to a bare route that answers the same',
    goal: { atLeast: 0.55 },
    ...comparing({ subject: callOne, baseline: { server: bare, ...calls('/mcp') } }),
  },
  {
    name: 'tools_call_vs_sdk_1',
    title: 'tools/call to the official SDK with 1 tool',
    goal: { atLeast: 6 },
    ...comparing({
      subject: callOne,
      baseline: { server: { program: 'sdk', options: { tools: 1 } }, ...calls('/mcp') },
    }),
  },
  {
    name: 'tools_call_vs_sdk_100',
    title: 'tools/call to the official SDK, 100 tools each',
    ...comparing({
      subject: { server: causeway, ...calls(tenantPath('bench-100')) },
      baseline: { server: { program: 'sdk', options: { tools: 100 } }, ...calls('/mcp') },
    }),
  },
  {
    name: 'tools_call_vs_mcp_nest',
    title: 'tools/call to @rekog/mcp-nest with 1 tool',
    ...comparing({ subject: callOne, baseline: { server: { program: 'mcp-nest', options: {} }, ...calls('/mcp') } }),
    ratio: false,
  },
  {
    name: 'tools_call_1000_tools_vs_1',
    title: 'tools/call, 1,000 tools in the tenant to 1',
    goal: { atLeast: 0.9 },
    ...comparing({ subject: { server: causeway, ...calls(tenantPath('bench-1000')) }, baseline: callOne }),
  },
  {
    name: 'tools_call_10000_tenants_vs_1',
    title: 'tools/call, 10,000 tenants in turn to 1',
    goal: { atLeast: 0.9 },
    ...comparing({
      subject: { server: manyTenants, ...copies(copyOfTenant) },
      baseline: { server: oneTenant, ...copies(() => copyOfTenant(0)) },
    }),
  },
  {
    name: 'tools_list_vs_bare',
    title: 'tools/list of 100 tools to a bare route that sends the same bytes',
    goal: { atLeast: 0.5 },
    ...comparing({
      subject: { server: causeway, ...lists(tenantPath('bench-100')) },
      baseline: { server: (bytes) => ({ program: 'bare', options: { bytes } }), ...lists('/mcp') },
    }),
  },
];

function comparing(comparison: Comparison): Pick<Measure, 'unit' | 'ratio' | 'run'> {
  return { unit: 'times', ratio: true, run: (effort) => compare(comparison, effort) };
}
