/**
 * Goes on with a value: at once when it is there, else when it comes. A request that waits for nothing is answered in the
 * turn in which it arrived.
 */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
