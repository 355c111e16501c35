/**
 * Calls `next` with the value: at once if it is there, and otherwise when it is. What is in memory then takes no turn of
 * the event loop.
 */
export const thenOrNow = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
