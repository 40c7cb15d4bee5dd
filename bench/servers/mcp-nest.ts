import 'reflect-metadata';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { obeyParent } from './child.js';
import { ECHO_DESCRIPTION } from './tool-names.js';

@McpController()
class EchoController {
  @Tool({ name: 'echo', description: ECHO_DESCRIPTION, parameters: z.object({ text: z.string() }) })
  echo(@Payload() { text }: { text: string }) {
    return { content: [{ type: 'text', text }] };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

/** `@rekog/mcp-nest` on Fastify with one tool, as its README has it. */
obeyParent(async () => {
  Logger.overrideLogger(['warn', 'error']);
  const strategy = new McpStrategy({
    name: 'bench',
    version: '1.0.0',
    transports: [new StreamableHttpTransport()],
    logging: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(EchoModule, new FastifyAdapter());
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), close: () => app.close() };
});
