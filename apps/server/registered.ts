import type { SourceInspector } from '#admin/changes/source-inspector.js';
import { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import { HandlerClosures } from '#catalogue/modules/handler-closure.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import { secretsNamedBy } from '#sources/named-secrets.js';
import { RegisteredSources } from '#sources/registered-sources.js';
import { SecretStore } from '#sources/secrets/secret.store.js';
import { SecretVault } from '#sources/secrets/secret-vault.js';
import { checkSource } from '#sources/source-checks.js';
import type { Booted } from './booted.js';
import { schemaLimitsOf } from './config/settings.js';
import { VERSION } from './version.js';

/** What knows what was registered at run time, and the secrets that it names. */
export interface Registered {
  readonly secrets: SecretVault;
  readonly sources: RegisteredSources;
  readonly inspector: SourceInspector;
  readonly compiler: CatalogueCompiler;
}

/** @param services what calls services for registered primitives */
export function createRegistered(booted: Booted, services: OutboundClient): Registered {
  const { app, environment, keys } = booted;
  const closures = app.get(HandlerClosures);
  const secrets = new SecretVault(app.get(SecretStore), keys);
  const sources = new RegisteredSources({
    limits: schemaLimitsOf(environment),
    secrets,
    outbound: services,
    wrap: (handler) => closures.wrap(handler),
  });
  return {
    secrets,
    sources,
    inspector: { secretsOf: secretsNamedBy, check: (source) => checkSource(source, services) },
    compiler: createCompiler(booted, sources),
  };
}

function createCompiler({ app, environment, logger }: Booted, sources: RegisteredSources): CatalogueCompiler {
  const modules = app.get(ModuleRegistry);
  return new CatalogueCompiler(modules, sources, {
    pageSize: environment.PAGE_SIZE,
    version: VERSION,
    onUnknownModule: (slug, module) =>
      logger.warn(
        { slug, module, known: modules.names },
        'A tenant activates a module that this process does not have',
      ),
    onBrokenSource: (slug, source, error) =>
      logger.warn(
        { slug, source, ...(error instanceof DefinitionError ? { reason: error.message } : { err: error }) },
        'A source was left out of its catalogue: it does not work here',
      ),
  });
}
