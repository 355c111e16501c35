import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from './entry.ts';

/** The actor of a change, the address and the request that it came from, and its time. */
export interface Origin {
  readonly actor: Actor;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

const origins = new AsyncLocalStorage<Origin>();

/** Runs work whose changes have this origin. The code between a route and a store need not pass it on. */
export const withOrigin = <R>(origin: Origin, work: () => R): R => origins.run(origin, work);

/** Runs work whose changes have another actor than the rest of the request. */
export const withActor = <R>(actor: Actor, work: () => R): R =>
  withOrigin({ ...currentOrigin(), actor }, work);

/** Returns the origin of the running work. Undefined: no request or command has caused it. */
export const givenOrigin = (): Origin | undefined => origins.getStore();

/** Returns the origin of the running work, by default the service. */
export const currentOrigin = (): Origin =>
  givenOrigin() ?? originWithoutRequest({ kind: 'service', id: null });

/** Returns the origin of work that no request has caused. */
export const originWithoutRequest = (actor: Actor): Origin => ({
  actor,
  address: null,
  requestId: null,
  at: Date.now(),
});
