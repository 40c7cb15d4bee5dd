import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HandlerClosures } from '#catalogue/modules/handler-closure.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { ChangeBus } from '#events/change.bus.js';
import { InProcessBus } from '#events/in-process.bus.js';
import type { DatabaseOptions } from '#persistence/database.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import type { Logger } from '#telemetry/logger.js';

export interface AppOptions {
  readonly database: DatabaseOptions;
  /** Classes with `@McpModule`, or Nest modules that provide some. */
  readonly modules: readonly Type[];
  readonly logger: Logger;
}

/** The composition root of the hosted process. */
@Module({})
export class AppModule {
  static register({ database, modules, logger }: AppOptions): DynamicModule {
    const isNestModule = (type: Type): boolean =>
      Reflect.hasMetadata('providers', type) || Reflect.hasMetadata('imports', type);
    const bus = new InProcessBus((error) => logger.error({ err: error }, 'A subscriber of the bus failed'));
    return {
      module: AppModule,
      imports: [DiscoveryModule, PersistenceModule.register(database), ...modules.filter(isNestModule)],
      providers: [
        HandlerClosures,
        ModuleRegistry,
        { provide: ChangeBus, useValue: bus },
        ...modules.filter((type) => !isNestModule(type)),
      ],
      exports: [ChangeBus],
      global: true,
    };
  }
}
