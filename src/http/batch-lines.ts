import type { TSchema } from 'typebox';
import { EmbeddingsRequest, embeddingOptions } from '../api/embedding.ts';
import { RerankRequest } from '../api/rerank.ts';
import { validationMessage } from '../api/validation-message.ts';
import type { Batch, BatchEndpoint } from '../batches/batch.ts';
import type { BatchLine, LineOutcome, LineSender, Lines } from '../batches/line.ts';
import type { LineBody } from '../batches/results.ts';
import type { EmbedResult } from '../embeddings/embed.ts';
import { invalidApiKey, invalidField, ServiceError } from '../errors.ts';
import type { Caller } from '../keys/authenticate.ts';
import { type KeyRecord, limitedOf } from '../keys/key.ts';
import { heldRights } from '../keys/rights.ts';
import { newId } from '../lib/ids.ts';
import { batchTurns } from '../load/event-loop.ts';
import { may } from '../organizations/access.ts';
import type { Services } from '../service/services.ts';
import { callerCountedAs } from './audience.ts';
import { openai } from './dialects/openai/openai.ts';
import { dimensionsOf, type Embedded, embedRequestOf, offerFor, type Wanted } from './embed-texts.ts';
import { relationOfUser } from './plugins/access.ts';
import { toServiceError } from './plugins/error-handler.ts';
import { misspelledField, removeAbsentNulls } from './plugins/json-body.ts';
import { outcomeOf } from './record-request.ts';
import { textsOf } from './routes/embeddings.ts';
import { documentsOf, pairsOf, rerankView } from './routes/rerank.ts';
import { validatorOf } from './validator-of.ts';

/** Runs the lines of batches as the routes run requests, without HTTP. */
export function batchLines(services: Services): Lines {
  return {
    failure(reason) {
      const { status, body } = openai.error(toServiceError(reason));
      return { status, requestId: newId(), body: { kind: 'json', value: body } };
    },
    async sender(batch) {
      const caller = await callerFor(batch, services);
      return {
        check: (endpoint, body) => check(endpoint, body, caller, services),
        texts: countOf,
        fingerprintOf: (name) => services.models.get(name)?.served.model.fingerprint,
        run: runFor(caller, services),
      };
    },
  };
}

/**
 * Returns the key or the person who created a batch. A key that was replaced still counts as the sender of its batches,
 * with the rights of its successor. Throws `invalid_api_key` if the key was revoked, is paused or lost its scope, or if
 * the person may no longer embed.
 */
async function callerFor({ orgId, senderId }: Batch, services: Services): Promise<Caller> {
  const { stores } = services;
  const sender = await callerCountedAs(senderId, orgId, services);
  const user = await stores.users.findById(senderId);
  if (user && !user.isDisabled && may(await relationOfUser(orgId, user, services), 'batches.change'))
    return sender;
  const key = await stores.keys.find(senderId);
  const valid = user || !key ? undefined : await validVersion(key, services);
  if (!key || !valid?.scopes.includes('batch')) throw invalidApiKey();
  return { ...sender, ...heldRights(valid), ...limitedOf(key), defaultModel: key.defaultModel };
}

/** Returns a key if it may be used, or the key that has replaced it after its end. A revoked key ends all of that. */
async function validVersion(key: KeyRecord, services: Services): Promise<KeyRecord | undefined> {
  if (key.status === 'revoked' || !key.enabled) return undefined;
  if (key.expiresAt > services.clock.now()) return key;
  for (const successor of await services.stores.keys.successors(key.keyId)) {
    const valid = await validVersion(successor, services);
    if (valid) return valid;
  }
  return undefined;
}

const schemas = {
  '/v1/embeddings': EmbeddingsRequest,
  '/v1/rerank': RerankRequest,
} as const satisfies Record<BatchEndpoint, TSchema>;
const validators = {
  '/v1/embeddings': validatorOf({ schema: EmbeddingsRequest }),
  '/v1/rerank': validatorOf({ schema: RerankRequest }),
};

function requireValid(endpoint: BatchEndpoint, body: BatchLine['body']): void {
  removeAbsentNulls(body, schemas[endpoint]);
  const misspelled = misspelledField(body, schemas[endpoint]);
  if (misspelled) throw misspelled;
  const checked = validators[endpoint](body);
  if (checked === true) return;
  const { message, param } = validationMessage(checked.error, body);
  throw invalidField(param, message);
}

function check(endpoint: BatchEndpoint, body: BatchLine['body'], caller: Caller, services: Services) {
  requireValid(endpoint, body);
  const wanted = isRerank(endpoint, body)
    ? pairsOf(body, documentsOf(body), services)
    : wantedOf(body as EmbeddingsRequest, []);
  const offer = offerFor(services, caller, wanted);
  dimensionsOf(offer, wanted);
  wanted.inputType?.(offer.served.model);
  const { name: model, fingerprint } = offer.served.model;
  return { model, fingerprint, texts: countOf(endpoint, body) };
}

const isRerank = (
  endpoint: BatchEndpoint,
  body: BatchLine['body'],
): body is RerankRequest & BatchLine['body'] => endpoint === '/v1/rerank';

/** Returns the number of texts, without decoding token ids. */
function countOf(endpoint: BatchEndpoint, body: BatchLine['body']): number {
  const list = isRerank(endpoint, body) ? (body.texts ?? body.documents) : body.input;
  return Array.isArray(list) && typeof list[0] !== 'number' ? list.length : 1;
}

function wantedOf(body: EmbeddingsRequest, texts: readonly string[]): Wanted {
  const { type, format: _, ...options } = embeddingOptions(body);
  return { ...options, texts, model: body.model, types: type === 'float' ? undefined : [type] };
}

function runFor(caller: Caller, services: Services): LineSender['run'] {
  return async (endpoint, body, signal, stopping) => {
    requireValid(endpoint, body);
    const requestId = newId();
    if (isRerank(endpoint, body)) {
      const documents = documentsOf(body);
      const scored = await embed(caller, services, pairsOf(body, documents, services), signal, stopping);
      const value = rerankView(body, documents, scored, requestId);
      return outcome(requestId, scored, { kind: 'json', value });
    }
    const asked = body as EmbeddingsRequest;
    const inTurn = batchTurns(caller.orgId);
    const texts = await textsOf(asked.input, inTurn);
    const embedded = await embed(caller, services, wantedOf(asked, texts), signal, stopping);
    const { format, type } = embeddingOptions(asked);
    const { served, dimensions, promptTokens, cached, cachedTexts, truncated } = embedded;
    const { name, fingerprint } = served.model;
    const model = { name, fingerprint };
    const form = { format, type, promptTokens, cached, cachedTexts, truncated, model };
    const vectors = served.vectorsOf(embedded, dimensions);
    return outcome(requestId, embedded, { kind: 'embeddings', vectors, ...form });
  };
}

function outcome(requestId: string, { promptTokens, cached }: Embedded, body: LineBody): LineOutcome {
  return { status: 200, requestId, body, tokens: promptTokens, cached };
}

/** Embeds the texts of a line behind all requests, and counts it. */
async function embed(
  caller: Caller,
  services: Services,
  wanted: Wanted,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<Embedded> {
  const offer = offerFor(services, caller, wanted);
  const { served, alias } = offer;
  const dimensions = dimensionsOf(offer, wanted);
  const { recorder, clock } = services;
  const { orgId, keyId } = caller;
  const line = { orgId, keyId, userId: null, model: served.model.name, texts: wanted.texts.length };
  const record = (result: EmbedResult | null, failure: ServiceError | null): void =>
    recorder.recordLine({ ...line, ...outcomeOf(result, failure, clock.now()) });
  try {
    const inputType = wanted.inputType?.(served.model) ?? alias.inputType ?? 'document';
    const request = embedRequestOf(caller, offer, wanted, inputType);
    const inTurn = batchTurns(orgId);
    const result = await served.embed({ ...request, background: stopping, inTurn, signal: () => signal });
    record(result, null);
    return { ...result, served, dimensions };
  } catch (reason) {
    // Other failures pass, and the line is tried again.
    if (reason instanceof ServiceError && reason.code === 'invalid_request') record(null, reason);
    throw reason;
  }
}
