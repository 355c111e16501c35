import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { EmbedResult } from '../embeddings/embed.ts';
import type { ServiceError } from '../errors.ts';
import { EndedKey } from '../keys/authenticate.ts';
import { excerpt } from '../lib/harmless.ts';
import { Exceeded } from '../quota/exceeded.ts';
import { timeIn } from '../quota/window.ts';
import type { Services } from '../service/services.ts';

type Needs = Pick<Services, 'recorder' | 'clock'>;

/** Returns the hook of a route that embeds or reranks: it records its requests. */
export function recording(services: Needs): { onSend: onSendHookHandler } {
  return {
    onSend(request, reply, payload, done) {
      request.hold.whenClosed(() => record(services, request, reply));
      done(null, payload);
    },
  };
}

/** Records a request whose response was sent, or whose client has disconnected before that. */
function record({ recorder, clock }: Needs, request: FastifyRequest, reply: FastifyReply): void {
  const { principal, embedded } = request;
  const isSent = reply.raw.writableFinished;
  // A client can also disconnect while the response of a request that succeeded is written.
  const failure = isSent || !embedded ? request.failure : null;
  const fault = failure?.param ?? failure?.reason;
  const caller = request.caller ?? (failure instanceof EndedKey ? failure : undefined);
  if (!caller || caller.orgId === null) return;
  const userId = principal?.kind === 'user' ? principal.userId : null;
  const line = {
    orgId: caller.orgId,
    keyId: userId === null ? caller.keyId : null,
    userId,
    model: request.servedModel,
    texts: request.textCount,
    ...outcomeOf(embedded, failure, clock.now()),
  };
  if (isSent)
    recorder.record({
      ...line,
      requestId: request.id,
      status: reply.statusCode,
      latencyMs: inMicroseconds(request.hold.ageMs),
      queueMs: inMicroseconds(request.queueMs),
      limitId: failure instanceof Exceeded && 'limitId' in failure.by ? failure.by.limitId : null,
      // A misspelled name is the client's, so it can have characters that Postgres refuses.
      param: fault === undefined ? null : excerpt(fault),
    });
  else recorder.recordLine(line);
}

/** Returns what is recorded of how a request or a line of a batch has ended, at a time of the day that has counted it. */
export function outcomeOf(embedded: EmbedResult | null, failure: ServiceError | null, nowMs: number) {
  if (failure) {
    const outcome = failure.status >= 500 ? 'failed' : 'refused';
    return { at: nowMs, outcome, error: failure.code, tokens: 0, truncated: 0, ...nothing } as const;
  }
  const {
    cached = false,
    counted = null,
    promptTokens: tokens = 0,
    truncated: { length: truncated } = [],
  } = embedded ?? {};
  const at = counted === null ? nowMs : timeIn(counted.day, nowMs);
  const charged = counted
    ? { countedTexts: counted.texts, countedTokens: counted.tokens, cost: counted.cost }
    : nothing;
  return { at, outcome: cached ? 'cached' : 'counted', error: '', tokens, truncated, ...charged } as const;
}

const nothing = { countedTexts: 0, countedTokens: 0, cost: 0 };

const inMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;
