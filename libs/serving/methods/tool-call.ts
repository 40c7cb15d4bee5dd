import type { ToolEntry } from '#catalogue/entries.js';
import type { Call, Retry } from '#invocation/call.js';
import { faultText } from '#invocation/fault.js';
import { toolError, toToolResult } from '#invocation/results/tool-result.js';
import type { Exchange } from '../exchange.js';
import type { Stages } from '../stages.js';
import { handlerCall } from './handler-call.js';

export interface ToolCallParts {
  readonly tool: ToolEntry;
  /** As they were sent. */
  readonly arguments: unknown;
  /** As the tool's schema let them through. */
  readonly input: unknown;
  readonly retry: Retry | undefined;
}

/** The call of a tool with arguments that were validated. */
export function toolCall(exchange: Exchange, stages: Stages, parts: ToolCallParts): Call {
  const { tool, input, retry } = parts;
  return handlerCall(exchange, stages, {
    method: 'tools/call',
    name: tool.key,
    label: tool.key,
    arguments: parts.arguments,
    retry,
    timeoutMs: tool.timeoutMs,
    configuration: exchange.catalogue.configurationOf(tool.source),
    run: (context) => tool.handler(input, context),
    toResult: (returned) => toToolResult(returned, tool.output),
    present: (fault) => toolError(faultText(fault)),
  });
}
