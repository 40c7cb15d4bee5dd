import { type ExecutionContext, Injectable, Module, type PipeTransform } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { map } from 'rxjs';
import { HandlerClosures, MCP_CONTEXT_TYPE, RegisteredPrimitive } from './handler-closure.js';

async function closuresWith(...providers: object[]): Promise<HandlerClosures> {
  @Module({ imports: [DiscoveryModule], providers: [HandlerClosures, ...(providers as never[])] })
  class Application {}
  const built = await Test.createTestingModule({ imports: [Application] }).compile();
  await built.init();
  return built.get(HandlerClosures);
}

describe('a handler that was registered at run time', () => {
  it('is called directly where nothing is global', async () => {
    const closures = await closuresWith();
    expect(closures.wrap((input, context) => [input, context])('in', 'context')).toEqual(['in', 'context']);
  });

  it('passes global guards, interceptors and pipes, as decorated methods do', async () => {
    const seen: unknown[] = [];
    const guard = {
      canActivate: (execution: ExecutionContext) => {
        seen.push(execution.getType(), execution.getClass().name, execution.getArgByIndex(1));
        return execution.getArgByIndex<string>(0) !== 'forbidden';
      },
    };
    @Injectable()
    class Twice implements PipeTransform {
      transform = (value: string): string => `${value}${value}`;
    }
    const closures = await closuresWith(
      { provide: APP_GUARD, useValue: guard },
      { provide: APP_INTERCEPTOR, useValue: { intercept: (_: unknown, next: any) => next.handle().pipe(map(String)) } },
      { provide: APP_PIPE, useClass: Twice },
    );
    const handler = closures.wrap((input) => [input]);
    expect(await handler('a', 'context')).toBe('aa');
    expect(seen).toEqual([MCP_CONTEXT_TYPE, RegisteredPrimitive.name, 'context']);
    await expect(handler('forbidden', 'context')).rejects.toThrow('Forbidden resource');
  });
});
