import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ExternalContextCreator } from '@nestjs/core/helpers/external-context-creator.js';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Handler } from '../entries.js';

/** The type that Nest's `ExecutionContext.getType()` gives for handlers of primitives. */
export const MCP_CONTEXT_TYPE = 'mcp';

const GUARDS = '__guards__';
const INTERCEPTORS = '__interceptors__';
const PIPES = '__pipes__';

type Method = (...args: unknown[]) => unknown;

/**
 * Makes the closure that a call runs. Guards, interceptors and pipes (the method's, the class's and the global ones) are
 * resolved here, once; a handler without any is called directly. Pipes see the arguments, not the context.
 */
@Injectable()
export class HandlerClosures {
  constructor(
    private readonly creator: ExternalContextCreator,
    private readonly config: ApplicationConfig,
  ) {}

  make(wrapper: InstanceWrapper<object>, methodName: string): Handler {
    const { instance } = wrapper;
    const method = Reflect.get(instance, methodName) as Method;
    const piped = this.throughPipes(wrapper, method, methodName);
    if (!this.isWatched(instance.constructor, method)) return (input, context) => piped.call(instance, input, context);
    const none = undefined;
    const options = { guards: true, interceptors: true, filters: false };
    return this.creator.create(
      instance,
      piped,
      methodName,
      none,
      none,
      none,
      none,
      options,
      MCP_CONTEXT_TYPE,
    ) as Handler;
  }

  /** The same for a handler that no class declares; only what is global applies. */
  wrap(handler: Handler): Handler {
    const instance = new RegisteredPrimitive(handler);
    return this.make({ instance } as InstanceWrapper<RegisteredPrimitive>, 'handle');
  }

  private isWatched(type: object, method: object): boolean {
    const { config } = this;
    const global =
      config.getGlobalGuards().length +
      config.getGlobalInterceptors().length +
      config.getGlobalRequestGuards().length +
      config.getGlobalRequestInterceptors().length;
    return (
      global > 0 ||
      [GUARDS, INTERCEPTORS].some((key) => Reflect.hasMetadata(key, type) || Reflect.hasMetadata(key, method))
    );
  }

  private throughPipes(wrapper: InstanceWrapper<object>, method: Method, methodName: string): Method {
    const type = wrapper.instance.constructor;
    const declared = [type, method].flatMap(declaredPipes);
    const pipes = [...this.config.getGlobalPipes(), ...declared.map((pipe) => resolvePipe(wrapper, pipe))];
    if (pipes.length === 0) return method;
    const types = Reflect.getMetadata('design:paramtypes', type.prototype as object, methodName) as Type[] | undefined;
    const metadata = { type: 'body' as const, metatype: types?.[0], data: undefined };
    const piped = async function (this: unknown, input: unknown, ...rest: unknown[]): Promise<unknown> {
      let value = input;
      for (const pipe of pipes) value = await pipe.transform(value, metadata);
      return method.call(this, value, ...rest);
    };
    return copyMetadata(method, piped);
  }
}

/** What guards and interceptors are shown as the class of a handler that was registered at run time. */
export class RegisteredPrimitive {
  constructor(private readonly handler: Handler) {}

  handle(input: unknown, context: unknown): unknown {
    return this.handler(input, context);
  }
}

function declaredPipes(target: object): readonly unknown[] {
  const pipes: unknown = Reflect.getMetadata(PIPES, target);
  return Array.isArray(pipes) ? pipes : [];
}

function resolvePipe(wrapper: InstanceWrapper<object>, pipe: unknown): PipeTransform<unknown> {
  if (typeof pipe !== 'function') return pipe as PipeTransform<unknown>;
  const resolved = wrapper.host?.injectables.get(pipe as Type)?.instance as PipeTransform<unknown> | undefined;
  if (resolved) return resolved;
  throw new Error(`The pipe ${pipe.name} is not resolved: request-scoped pipes do not work on handlers of primitives.`);
}

/** Guards and interceptors read their metadata from the function they are shown. */
function copyMetadata(from: Method, to: Method): Method {
  for (const key of Reflect.getMetadataKeys(from) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, from), to);
  }
  return to;
}
