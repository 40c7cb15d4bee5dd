import { echoesText, listsTools } from '../probe.js';
import type { Contender } from '../ready-targets.js';
import { callEcho, listTools } from '../requests.js';
import type { ServerSpec } from '../server-process.js';
import { copyOfTenant } from '../tenants.js';
import { compare, type Comparison } from './comparison.js';
import type { Measure } from './measure.js';

const TENANTS = 10_000;
const TOKENS = 10_000;

const causeway: ServerSpec = { program: 'causeway', options: { tools: [1, 100, 1000] } };
const guarded: ServerSpec = { program: 'causeway', options: { tools: [1], tokens: TOKENS } };
const bare: ServerSpec = { program: 'bare', options: {} };

const tenantPath = (slug: string) => `/t/${slug}/mcp`;
const inTurn = (slug: (index: number) => string) =>
  Array.from({ length: TENANTS }, (_, index) => tenantPath(slug(index)));

const callOne = calls(causeway, tenantPath('bench-1'));

/** The measures that compare the rates of two servers, or of one server asked for two things. */
export const comparisons: readonly Measure[] = [
  {
    name: 'tools_call_vs_bare',
    title: 'tools/call to a bare route that answers the same',
    goal: { atLeast: 0.55 },
    ...comparing({ subject: callOne, baseline: calls(bare, '/mcp') }),
  },
  {
    name: 'tools_call_vs_sdk_1',
    title: 'tools/call to the official SDK with 1 tool',
    goal: { atLeast: 6 },
    ...comparing({ subject: callOne, baseline: calls({ program: 'sdk', options: { tools: 1 } }, '/mcp') }),
  },
  {
    name: 'tools_call_vs_sdk_100',
    title: 'tools/call to the official SDK, 100 tools each',
    ...comparing({
      subject: calls(causeway, tenantPath('bench-100')),
      baseline: calls({ program: 'sdk', options: { tools: 100 } }, '/mcp'),
    }),
  },
  {
    name: 'tools_call_vs_mcp_nest',
    title: 'tools/call to @rekog/mcp-nest with 1 tool',
    ...comparing({ subject: callOne, baseline: calls({ program: 'mcp-nest', options: {} }, '/mcp') }),
    ratio: false,
  },
  {
    name: 'tools_call_1000_tools_vs_1',
    title: 'tools/call, 1,000 tools in the tenant to 1',
    goal: { atLeast: 0.9 },
    ...comparing({ subject: calls(causeway, tenantPath('bench-1000')), baseline: callOne }),
  },
  {
    name: 'tools_list_vs_bare',
    title: 'tools/list of 100 tools to a bare route that sends the same bytes',
    goal: { atLeast: 0.5 },
    ...comparing({
      subject: lists(causeway, tenantPath('bench-100')),
      baseline: (bytes) => lists({ program: 'bare', options: { bytes } }, '/mcp'),
    }),
  },
  {
    name: 'tools_call_10000_tenants_vs_1',
    title: 'tools/call, 10,000 tenants in turn to 1',
    goal: { atLeast: 0.9 },
    ...comparing({
      subject: calls({ program: 'causeway', options: { tools: [1], copies: TENANTS } }, ...inTurn(copyOfTenant)),
      baseline: calls({ program: 'causeway', options: { tools: [1], copies: 1 } }, ...inTurn(() => copyOfTenant(0))),
    }),
  },
  {
    name: 'oauth_vs_open',
    title: 'tools/call with an access token to tools/call of an open tenant',
    goal: { atLeast: 0.9 },
    ...comparing({
      subject: { ...calls(guarded, tenantPath('bench-oauth')), tokens: 1 },
      baseline: calls(guarded, tenantPath('bench-1')),
    }),
  },
  {
    name: 'oauth_10000_tokens_vs_open',
    title: 'tools/call, 10,000 access tokens in turn, to an open tenant',
    goal: { atLeast: 0.65 },
    ...comparing({
      subject: { ...calls(guarded, tenantPath('bench-oauth')), tokens: TOKENS },
      baseline: calls(guarded, ...Array.from({ length: TOKENS }, () => tenantPath('bench-1'))),
    }),
  },
];

function calls(server: ServerSpec, ...paths: readonly string[]): Contender {
  return { server, paths, request: callEcho, check: echoesText };
}

function lists(server: ServerSpec, path: string): Contender {
  return { server, paths: [path], request: listTools, check: listsTools(100) };
}

function comparing(comparison: Comparison): Pick<Measure, 'unit' | 'ratio' | 'run'> {
  return { unit: 'times', ratio: true, run: (effort, targets) => compare(comparison, effort, targets) };
}
