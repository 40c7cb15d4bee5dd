import type { ChangeBus } from '#events/change.bus.js';
import { InProcessBus } from '#events/in-process.bus.js';
import type { BusReports } from '#events/remote.bus.js';
import { RedisBus } from '#messaging/redis.bus.js';
import type { DatabaseOptions } from '#persistence/database.js';
import { PostgresBus } from '#persistence/postgres.bus.js';
import type { Logger } from '#telemetry/logger.js';
import type { Environment } from './config/config.js';
import { redisOf } from './config/settings.js';

/** What carries changes between nodes: Redis where there is one, else Postgres; with neither there is one node. */
export function createBus(environment: Environment, database: DatabaseOptions, logger: Logger): ChangeBus {
  const redis = redisOf(environment);
  if (redis) return new RedisBus(redis, reportsTo(logger, 'Redis'));
  if ('url' in database) return new PostgresBus(database.url, reportsTo(logger, 'Postgres'));
  return new InProcessBus(reportsTo(logger, 'This process').onFailure);
}

function reportsTo(logger: Logger, carrier: string): BusReports {
  return {
    onFailure: (error) => logger.error({ err: error }, 'A change could not be taken in'),
    onLost: (reason) =>
      logger.warn({ reason }, `${carrier} carries no changes just now: nodes look for them in the database meanwhile`),
    onReturned: () => logger.info(`${carrier} carries changes again`),
    onForeign: () =>
      logger.warn(
        `${carrier} brought something that is no change of this version: it was dropped, as more of it will be`,
      ),
  };
}
