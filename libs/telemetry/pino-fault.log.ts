import type { FaultLog } from '#invocation/fault.js';
import type { Logger } from './logger.js';

/** Tells failures of handlers in the platform's log. */
export class PinoFaultLog implements FaultLog {
  constructor(private readonly logger: Logger) {}

  handlerFailed({ correlationId, tenantId, method, label, error }: Parameters<FaultLog['handlerFailed']>[0]): void {
    this.logger.error({ correlationId, tenantId, method, primitive: label, err: error }, 'A handler failed');
  }
}
