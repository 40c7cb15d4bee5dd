import type { Type } from '@nestjs/common';
import { McpModule, Tool } from '#authoring/index.js';
import { z } from 'zod';
import { ECHO_DESCRIPTION, toolNames } from './tool-names.js';

const input = z.object({ text: z.string() });

/** A module `bench-<count>` with that many tools, decorated as an author would decorate them by hand. */
export function echoModule(count: number): Type {
  class EchoModule {}
  const prototype = EchoModule.prototype;
  for (const name of toolNames(count)) {
    const descriptor = { configurable: true, writable: true, value: ({ text }: z.infer<typeof input>) => text };
    Object.defineProperty(prototype, name, descriptor);
    Tool({ name, description: ECHO_DESCRIPTION, input })(prototype, name, descriptor);
  }
  McpModule({ name: `bench-${count}`, title: `Bench ${count}`, instructions: 'For the benchmark.' })(EchoModule);
  return EchoModule;
}
