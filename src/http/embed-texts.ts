import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InputType } from '../../packages/engine/src/index.ts';
import { type EmbeddingOptions, type MeantInputType, meantInputType } from '../api/embedding.ts';
import type { CacheControl, EmbedRequest, EmbedResult } from '../embeddings/embed.ts';
import type { ModelCatalog, Offer, Task } from '../embeddings/model-catalog.ts';
import { type EncodedType, isPacked } from '../embeddings/output-types.ts';
import type { ServedModel } from '../embeddings/served-model.ts';
import { invalidField, invalidRequest, notFound, ServiceError } from '../errors.ts';
import type { Caller } from '../keys/authenticate.ts';
import { requireModel, requireScope } from '../keys/rights.ts';
import { excerpt } from '../lib/harmless.ts';
import type { Services } from '../service/services.ts';
import { withoutIdleTimeout } from './new-server.ts';
import { callerOf } from './plugins/authenticate.ts';

/** Upper bound for a number in JSON. Base64 needs half as much. */
const bytesPerNumber = 14;

/** What a request of any dialect asks for. */
export interface Wanted extends Partial<Omit<EmbeddingOptions, 'format' | 'type'>> {
  /** Texts, or for a reranker pairs as `joinPair` returns them. */
  readonly texts: readonly string[];
  /** Default: `embed`. */
  readonly task?: Task | undefined;
  /** The field that errors about a text name. Default: `input`. */
  readonly param?: string | undefined;
  /** A name that the request states. */
  readonly model?: string | undefined;
  /** The forms in which the response has each vector. Default: numbers. */
  readonly types?: readonly EncodedType[] | undefined;
}

export interface Embedded extends EmbedResult {
  readonly served: ServedModel;
  /** The number of dimensions to return. */
  readonly dimensions: number;
}

/**
 * Embeds the texts of a request, and sets the headers about the model. Throws or rejects as `embed` does, with
 * `invalid_request` for a model or a size that isn't served, `model_retired` and `fingerprint_mismatch`. Returns a
 * promise only if it has to wait: cached responses take microseconds.
 */
export function embedTexts(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Wanted,
): Embedded | Promise<Embedded> {
  const caller = callerOf(request);
  const offer = usableOffer(services, request, reply, wanted);
  const { served } = offer;
  const dimensions = dimensionsOf(offer, wanted);
  const { texts, types } = wanted;
  request.textCount = texts.length;
  request.hold.addResponse(texts.length * served.model.dimensions * bytesPerNumber * (types?.length ?? 1));
  const result = served.embed({
    ...embedRequestOf(caller, offer, wanted, requestedInputType(request, offer, wanted.inputType)),
    inTurn: request.hold.inTurn,
    cacheControl: cacheControlOf(request),
    trace: request,
    signal: () => clientGoneSignal(reply),
  });
  const noted = (embedded: EmbedResult): Embedded => {
    const { embeddings, keys, cached, cachedTexts, counted, promptTokens, truncated } = embedded;
    if (truncated.length > 0) reply.header('x-embedding-truncated', truncated.length);
    request.embedded = embedded;
    return { embeddings, keys, cached, cachedTexts, counted, promptTokens, truncated, served, dimensions };
  };
  // Uses the request's socket: the response of a pipelined request has none until the responses before it are sent.
  return result instanceof Promise
    ? withoutIdleTimeout(request.raw.socket, refusedInTurn(request, result)).then(noted)
    : noted(result);
}

/** Returns the size of the vectors to return. Throws `invalid_request` if the model or the form doesn't have it. */
export function dimensionsOf(
  { served, alias }: Offer,
  { dimensions, types }: Pick<Wanted, 'dimensions' | 'types'>,
): number {
  const asked = dimensions ?? alias.dimensions ?? served.model.dimensions;
  if (asked > served.model.dimensions) throw tooManyDimensions(served);
  if (asked % 8 !== 0 && types?.some(isPacked))
    throw invalidField('dimensions', `dimensions must be a multiple of 8 for bits, but it is ${asked}`);
  return asked;
}

/** Returns what the model is asked for on behalf of a caller. */
export function embedRequestOf(
  { orgId, cacheSecret, keyId, limitsKeyId, limitsUserId, tier }: Caller,
  { alias }: Offer,
  { texts, param, task, truncate }: Wanted,
  inputType: InputType,
): Omit<EmbedRequest, 'inTurn'> {
  return {
    orgId,
    cacheSecret,
    keyId,
    limitsKeyId,
    limitsUserId,
    tier,
    texts,
    param,
    inputType: task === 'rerank' ? 'document' : inputType,
    truncate: truncate ?? alias.truncate ?? true,
  };
}

/** Settles as the result does, but a refusal by the queue waits for its turn. */
async function refusedInTurn<R>(request: FastifyRequest, result: Promise<R>): Promise<R> {
  try {
    return await result;
  } catch (reason) {
    if (reason instanceof ServiceError && reason.code === 'overloaded') await request.hold.takeRefusalTurn();
    throw reason;
  }
}

/**
 * Returns the input type of a request: that of its field comes first, then that of the model's name, then the header.
 */
export function requestedInputType(
  { headers }: FastifyRequest,
  { served: { model }, alias }: Offer,
  ofField: MeantInputType | undefined,
): InputType {
  if (ofField !== undefined) return ofField(model);
  if (alias.inputType !== undefined) return alias.inputType;
  const word = headers['x-input-type'];
  return typeof word === 'string' ? meantInputType(word, 'X-Input-Type')(model) : 'document';
}

/**
 * Returns the model that a request names, or the default of its key or the service, and describes it in the response's
 * headers. Throws as `offerFor` does, and `fingerprint_mismatch`.
 */
export function usableOffer(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Pick<Wanted, 'model' | 'task' | 'expectedFingerprint'>,
): Offer {
  const offer = offerFor(services, callerOf(request), wanted, (served) => {
    request.servedModel = served.model.name;
    reply.headers(served.headers);
  });
  refuseIfOther(offer.served, request.headers['x-expected-fingerprint']);
  return offer;
}

/**
 * Does the same for a caller. Throws `forbidden` if its key lacks the scope or may not use the model under this name.
 * `onServed` is called before a model is refused for what it is.
 */
export function offerFor(
  { models, clock }: Pick<Services, 'models' | 'clock'>,
  caller: Caller,
  { model, task = 'embed', expectedFingerprint }: Pick<Wanted, 'model' | 'task' | 'expectedFingerprint'>,
  onServed: (served: ServedModel) => void = () => {},
): Offer {
  requireScope(caller, task);
  // First, because the error of an unknown name lists others.
  if (model !== undefined) requireModel(caller, model);
  const offer = wantedOffer(model, task, caller, models);
  const { served, alias } = offer;
  requireModel(caller, alias.name);
  onServed(served);
  served.refuseIfRetired(clock.now());
  refuseIfOther(served, expectedFingerprint);
  return offer;
}

function wantedOffer(
  name: string | undefined,
  task: Task,
  { defaultModel }: Caller,
  models: ModelCatalog,
): Offer {
  return name === undefined && task === 'embed'
    ? offerOf(defaultModel ?? undefined, models, { param: 'default_model' })
    : offerOf(name, models, { task });
}

/**
 * Returns the model that a field of a request names, or the default for the task. Throws `invalid_request` if it is
 * unknown or does another task, and `not_found` if no model does it.
 */
export function offerOf(
  name: string | undefined,
  models: ModelCatalog,
  { param = 'model', task = 'embed' }: { param?: string; task?: Task } = {},
): Offer {
  const usable = models.for(task);
  const [first] = usable;
  if (!first)
    throw notFound(
      task === 'embed'
        ? 'No model is loaded here: send the request to the running server'
        : 'No model here can rerank: the operator can add one with RERANK_MODEL or RERANK_UPSTREAM_URL',
    );
  if (name === undefined) return first;
  const offer = models.get(name);
  if (offer && usable.includes(offer)) return offer;
  const served = [...new Set(usable.map(({ served: { model } }) => `"${model.name}"`))].join(' or ');
  const shown = excerpt(name);
  if (offer) throw invalidField(param, `${param} "${shown}" ${otherTask[task]}. Use ${served}`);
  const otherwise =
    task === 'embed'
      ? ', or have your operator add the name to EMBEDDING_MODEL_ALIASES (aliases in a file)'
      : '';
  throw invalidRequest(`${param} "${shown}" is not served here. Use ${served}${otherwise}`, {
    param,
    fault: 'unknown model',
  });
}

const otherTask: Readonly<Record<Task, string>> = {
  embed: 'scores documents for a query, and computes no embeddings',
  rerank: 'computes embeddings, and can’t rerank',
};

const tooManyDimensions = ({ model: { name, dimensions } }: ServedModel): ServiceError =>
  invalidField('dimensions', `dimensions must be 1 to ${dimensions} for ${name}`);

function refuseIfOther({ model: { name, fingerprint } }: ServedModel, expected: unknown): void {
  if (expected === undefined || expected === fingerprint) return;
  const shown = excerpt(String(expected));
  throw new ServiceError(
    'fingerprint_mismatch',
    `The request expects vectors with the fingerprint "${shown}", but ${name} has ${fingerprint} here`,
    { param: 'expected_fingerprint' },
  );
}

function cacheControlOf({ headers }: FastifyRequest): CacheControl | undefined {
  const directives = headers['cache-control'];
  if (directives === undefined) return undefined;
  const [noCache, noStore] = [/\bno-cache\b/i.test(directives), /\bno-store\b/i.test(directives)];
  return noCache || noStore ? { noCache, noStore } : undefined;
}

function clientGoneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
