import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { moduleDeclaration, primitiveDeclaration } from '#authoring/decorators.js';
import type { McpModuleOptions } from '#authoring/options.js';
import type { SchemaLimits } from '#schema/schema-limits.js';
import { DeclarationError } from '../declaration-error.js';
import { type CompiledModule, LIST_KINDS } from '../entries.js';
import { compileModule } from './compile-module.js';
import type { DeclaredMethod } from './declared-module.js';
import { HandlerClosures } from './handler-closure.js';

/** The code modules of this process, found among Nest's providers and compiled at boot. */
@Injectable()
export class ModuleRegistry {
  private readonly modules = new Map<string, CompiledModule>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly closures: HandlerClosures,
  ) {}

  /**
   * Finds and compiles every class with `@McpModule`.
   * @throws DeclarationError for the first wrong declaration
   */
  discover(limits: SchemaLimits): void {
    const owners = new Map<string, object & { readonly name: string }>();
    for (const wrapper of this.discovery.getProviders()) {
      const type = wrapper.metatype;
      const options = typeof type === 'function' ? moduleDeclaration(type) : undefined;
      if (!options || typeof type !== 'function') continue;
      const owner = owners.get(options.name);
      if (owner === type) continue; // one class may be provided by several Nest modules
      if (owner !== undefined) {
        throw new DeclarationError(
          { type: type.name },
          `the module "${options.name}" is declared by ${owner.name} already.`,
          'Give one of them another name.',
        );
      }
      owners.set(options.name, type);
      this.modules.set(options.name, this.compile(wrapper as InstanceWrapper<object>, type.name, options, limits));
    }
  }

  get(name: string): CompiledModule | undefined {
    return this.modules.get(name);
  }

  /** Every scope that a primitive of a module names, in order. */
  get scopes(): readonly string[] {
    const modules = [...this.modules.values()];
    const named = LIST_KINDS.flatMap((kind) =>
      modules.flatMap(({ entries }) => entries[kind].flatMap((entry) => entry.scopes)),
    );
    return [...new Set(named)].sort();
  }

  /** In order of their names. */
  get all(): readonly CompiledModule[] {
    return this.names.flatMap((name) => this.modules.get(name) ?? []);
  }

  get names(): readonly string[] {
    return [...this.modules.keys()].sort();
  }

  private compile(
    wrapper: InstanceWrapper<object>,
    type: string,
    options: McpModuleOptions,
    limits: SchemaLimits,
  ): CompiledModule {
    if (!wrapper.isDependencyTreeStatic()) {
      throw new DeclarationError(
        { type },
        'it, or something that it injects, is request-scoped.',
        'Make it a singleton: handlers are resolved once, at boot.',
      );
    }
    return compileModule({ type, options, methods: this.methodsOf(wrapper) }, limits);
  }

  private methodsOf(wrapper: InstanceWrapper<object>): readonly DeclaredMethod[] {
    const { instance } = wrapper;
    return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((method) => {
      const target = Reflect.get(instance, method) as object;
      const declaration = primitiveDeclaration(target);
      return declaration ? [{ method, declaration, handler: this.closures.make(wrapper, method) }] : [];
    });
  }
}
