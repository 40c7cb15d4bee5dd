import type { Rejection } from '#protocol/errors.js';

/** What a handler did for its caller was refused, and the call that it was done for is with it. */
export class RefusedCall extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.message);
    this.name = 'RefusedCall';
  }
}
