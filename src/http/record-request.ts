import type { FastifyReply, FastifyRequest, onErrorHookHandler, onResponseHookHandler } from 'fastify';
import { EndedKey } from '../keys/authenticate.ts';
import { Exceeded } from '../quota/exceeded.ts';
import type { Services } from '../service/services.ts';
import type { Outcome } from '../usage/request-log.ts';

type Needs = Pick<Services, 'recorder' | 'requestRecorder' | 'clock'>;

/** Returns the hooks of a route that embeds or reranks: they count its failures and log its requests. */
export function recording(services: Needs): {
  onError: onErrorHookHandler;
  onResponse: onResponseHookHandler;
} {
  return {
    onError(request, _reply, _reason, done) {
      // A client can also disconnect while the response of a request that succeeded is written.
      if (request.caller && !request.embedded)
        services.recorder.failed({ ...request.caller, model: request.servedModel });
      done();
    },
    // Called when the response has been sent.
    onResponse(request, reply, done) {
      record(services, request, reply);
      done();
    },
  };
}

function record({ requestRecorder, clock }: Needs, request: FastifyRequest, reply: FastifyReply): void {
  const { failure, principal, embedded } = request;
  const caller = request.caller ?? (failure instanceof EndedKey ? failure : undefined);
  if (!caller) return;
  const { orgId, keyId } = caller;
  const userId = principal?.kind === 'user' ? principal.userId : null;
  const status = reply.statusCode;
  requestRecorder.record({
    orgId,
    at: clock.now(),
    requestId: request.id,
    keyId: userId === null ? keyId : null,
    userId,
    model: request.servedModel,
    status,
    error: failure?.code ?? '',
    outcome: outcomeOf(status, embedded?.cached ?? false),
    texts: request.textCount,
    tokens: failure ? 0 : (embedded?.promptTokens ?? 0),
    latencyMs: inMicroseconds(reply.elapsedTime),
    queueMs: inMicroseconds(request.queueMs),
    limitId: failure instanceof Exceeded && 'limitId' in failure.by ? failure.by.limitId : null,
  });
}

function outcomeOf(status: number, isCached: boolean): Outcome {
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return isCached ? 'cached' : 'counted';
}

const inMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;
