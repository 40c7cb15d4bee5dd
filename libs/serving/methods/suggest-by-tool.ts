import { randomUUID } from 'node:crypto';
import { Forbidden } from '#catalogue/catalogue-view.js';
import type { ToolCompletion } from '#catalogue/entries.js';
import { performCall } from '#invocation/perform-call.js';
import type { CallToolBody } from '#invocation/results/tool-result.js';
import type { Exchange } from '../exchange.js';
import type { Stages } from '../stages.js';
import { nestedExchange } from './nested-exchange.js';
import { toolCall } from './tool-call.js';

/**
 * The values that a tool suggests for what was typed. It is called as the caller could call it by `tools/call`: what that
 * does not permit, refuses or fails at suggests nothing, and the log says why.
 */
export async function suggestByTool(
  exchange: Exchange,
  stages: Stages,
  {
    completion,
    typed,
    signal,
  }: { readonly completion: ToolCompletion; readonly typed: string; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  try {
    const answer = await callTool(nestedExchange(exchange, signal), stages, { completion, typed });
    const values = completion.values(answer);
    if (values) return values;
    throw new Error(`What the tool "${completion.tool}" answered holds no suggestions.`);
  } catch (error) {
    stages.invocation.faults.handlerFailed({
      correlationId: randomUUID(),
      tenantId: exchange.catalogue.tenant.id,
      method: exchange.envelope.method,
      label: completion.tool,
      error,
    });
    return [];
  }
}

async function callTool(
  exchange: Exchange,
  stages: Stages,
  { completion, typed }: { readonly completion: ToolCompletion; readonly typed: string },
): Promise<unknown> {
  const tool = exchange.view.find('tools', completion.tool);
  if (!tool) throw new Error(`There is no tool "${completion.tool}" that the caller may see.`);
  if (tool instanceof Forbidden) throw new Error(`The caller may not call the tool "${completion.tool}".`);
  const args = { [completion.argument]: typed };
  const checked = await tool.input(args);
  if ('issues' in checked) throw new Error(`The tool "${tool.key}" does not take what it was called with.`);
  const call = toolCall(exchange, stages, { tool, arguments: args, input: checked.value, retry: undefined });
  const outcome = await performCall(call, stages.invocation);
  const result = outcome.type === 'complete' ? (outcome.result as CallToolBody) : undefined;
  if (!result || result.isError === true) throw new Error(`The tool "${tool.key}" did not answer.`);
  return result.structuredContent ?? answerIn(result);
}

/** A tool without structured content answers by its first text, which may be JSON. */
function answerIn({ content }: CallToolBody): unknown {
  const text = content.find((block) => block.type === 'text')?.text ?? '';
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
