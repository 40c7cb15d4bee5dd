import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** What Nest tells about its own boot. */
const NEST_ITSELF: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's own messages as lines of the platform's log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    const from = context.at(-1);
    this.logger[NEST_ITSELF.has(from) ? 'debug' : 'info']({ context: from }, String(message));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context: context.at(-1) }, String(message));
  }

  error(message: unknown, ...context: unknown[]): void {
    const from = context.at(-1);
    if (from === 'ExceptionHandler' || from === 'NestApplication') return; // an error of the boot is thrown on and told by main
    if (message instanceof Error) this.logger.error({ err: message, context: from }, message.message);
    else this.logger.error({ context: from }, String(message));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal({ context: context.at(-1) }, String(message));
  }
}
