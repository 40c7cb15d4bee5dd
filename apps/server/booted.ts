import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { KeyRing } from '#protocol/key-ring.js';
import type { Logger } from '#telemetry/logger.js';
import type { Environment } from './config/config.js';

/** A platform whose database is up to date and whose modules are known; nothing is served yet. */
export interface Booted {
  readonly app: NestFastifyApplication;
  readonly environment: Environment;
  readonly keys: KeyRing;
  readonly logger: Logger;
}
