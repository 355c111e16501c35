import { ServiceError } from '../errors.ts';

const clientGone = (signal: AbortSignal): ServiceError =>
  new ServiceError('request_timeout', 'The client disconnected before the response was ready.', {
    cause: signal.reason,
  });

/** Throws `request_timeout` when the client has disconnected. */
export function throwIfGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw clientGone(signal);
}

/** Calls `stop` with a `request_timeout` error when the client disconnects. Returns a function that ends the watch. */
export function onceGone(signal: AbortSignal | undefined, stop: (reason: ServiceError) => void): () => void {
  if (!signal) return () => {};
  const listener = (): void => stop(clientGone(signal));
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Settles as `waited` does. Throws `request_timeout` when the client disconnects first. */
export async function unlessGone<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  throwIfGone(signal);
  const gone = Promise.withResolvers<never>();
  const endWatch = onceGone(signal, gone.reject);
  try {
    return await Promise.race([waited, gone.promise]);
  } finally {
    endWatch();
  }
}
