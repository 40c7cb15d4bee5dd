import type { ClientCapabilities } from '#protocol/messages.js';

/**
 * An error made to be shown: its message reaches the client as it is. From a tool it becomes a result with `isError`,
 * from a resource or a prompt a JSON-RPC error. Any other error is answered with a correlation id alone, and its text
 * goes to the log.
 */
export class ShownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ShownError';
  }
}

/** Thrown by a resource handler when nothing stands behind the URI; answered with -32602 (server/resources, "Error Handling"). */
export class ResourceNotFoundError extends ShownError {
  constructor(readonly uri: string) {
    super('Resource not found');
    this.name = 'ResourceNotFoundError';
  }
}

/**
 * Thrown by `elicit`, `sample` and `roots` when the client did not declare the capability; answered with -32021 unless
 * the handler catches it and does without.
 */
export class MissingClientCapabilityError extends Error {
  constructor(readonly requiredCapabilities: ClientCapabilities) {
    super('The client did not declare a capability that the handler needs.');
    this.name = 'MissingClientCapabilityError';
  }
}
