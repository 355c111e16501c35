import type { FastifyRequest } from 'fastify';
import { networkOf } from '../lib/network-of.ts';

/** Limits how many lookups the unauthenticated clients of one network have in progress. */
export function lookUpsOf(request: FastifyRequest): <R>(find: () => Promise<R>) => Promise<R> {
  return (find) => request.hold.lookUp(networkOf(request.ip), find);
}
