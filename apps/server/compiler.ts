import { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import type { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import type { SourceCompiler } from '#catalogue/source-compiler.js';
import type { Logger } from '#telemetry/logger.js';
import type { Environment } from './config/config.js';
import { VERSION } from './version.js';

export interface CompilerParts {
  readonly environment: Environment;
  readonly modules: ModuleRegistry;
  readonly sources: SourceCompiler;
  readonly logger: Logger;
}

/** Puts together what makes catalogues. */
export function createCompiler({ environment, modules, sources, logger }: CompilerParts): CatalogueCompiler {
  return new CatalogueCompiler(modules, sources, {
    pageSize: environment.PAGE_SIZE,
    version: VERSION,
    onUnknownModule: (slug, module) =>
      logger.warn(
        { slug, module, known: modules.names },
        'A tenant activates a module that this process does not have',
      ),
    onBrokenSource: (slug, source, error) =>
      logger.warn({ slug, source, err: error }, 'A source was left out of its catalogue: it does not work here'),
  });
}
