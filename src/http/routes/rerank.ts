import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinPair } from '../../../packages/engine/src/index.ts';
import { meantTruncation } from '../../api/embedding.ts';
import { RerankRequest, RerankResponse } from '../../api/rerank.ts';
import { invalidField } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { type Embedded, embedTexts, type Wanted } from '../embed-texts.ts';
import { recording } from '../record-request.ts';

const stated = { access: 'rerank', waitsFor: 'model', bodyBound: 'MAX_BODY_KB', isLenient: true } as const;

/** Registers POST /v1/rerank, or the same at another path. `hide`: the description of the API leaves the route out. */
export function rerankRoute(
  app: App,
  services: Services,
  { url = '/v1/rerank', hide = false, view = (response: RerankResponse | object[]): object => response } = {},
): void {
  app.post<{ Body: RerankRequest }>(
    url,
    {
      ...described(stated, 'rerank', 'Rerank documents', {
        hide,
        description:
          'Returns the documents in the order of their relevance for the query. The request is counted like ' +
          'one that embeds as many texts, and each pair of query and document is cached like a text.',
        body: RerankRequest,
        response: { 200: RerankResponse },
      }),
      ...recording(services),
    },
    // TEI's clients read a list.
    async (request, reply) => reply.send(view(await rerank(services, request, reply)) as never),
  );
}

/** The memory of a UTF-16 unit. Each pair has a copy of the query. */
const bytesPerUnit = 2;
const bytesPerResult = 128;
/** UTF-16 units of all copies, so that even cached pairs cost no more than the largest body for embeddings. */
const maxQueryCopies = 4 << 20;

async function rerank(
  services: Services,
  request: FastifyRequest<{ Body: RerankRequest }>,
  reply: FastifyReply,
): Promise<RerankResponse | object[]> {
  const { body } = request;
  const documents = documentsOf(body);
  request.hold.add(documents.length * body.query.length * bytesPerUnit);
  const returned = hasText(body) ? documents.reduce((units, { length }) => units + length, 0) : 0;
  request.hold.addResponse(documents.length * bytesPerResult + returned * bytesPerUnit);
  const scored = await embedTexts(services, request, reply, pairsOf(body, documents, services));
  return rerankView(body, documents, scored, request.id);
}

/** Returns the texts to rank. Throws `invalid_request` if there are none, or too many for the query. */
export function documentsOf({ query, texts, documents: given }: RerankRequest): string[] {
  if (texts && given) throw invalidField('texts', 'texts must not be sent beside documents');
  const documents = texts ?? [given ?? []].flat().map((document) => textOf(document));
  if (documents.length === 0) throw invalidField('documents', 'documents is missing: send a list of texts');
  const most = Math.floor(maxQueryCopies / query.length);
  if (documents.length > most)
    throw invalidField('documents', `documents can have at most ${most} texts for a query of this length`);
  return documents;
}

const hasText = ({ return_text: own, return_documents: coheres }: RerankRequest): boolean =>
  own ?? coheres ?? false;

/** Returns the pairs of query and document that a request asks to score. Throws `invalid_request`. */
export function pairsOf(body: RerankRequest, documents: readonly string[], services: Services): Wanted {
  const { query, model, raw_scores: isRaw = false, truncate, truncation } = body;
  // A name that is not served is refused later, after the check of the key.
  const offer = model === undefined ? services.models.for('rerank')[0] : services.models.get(model);
  if (isRaw && offer?.served.model.hasFinalScores)
    throw invalidField('raw_scores', 'raw_scores must be false: an upstream computes the scores');
  const wellFormed = query.toWellFormed();
  return {
    texts: documents.map((document) => joinPair(wellFormed, document.toWellFormed())),
    task: 'rerank',
    param: body.texts ? 'texts' : 'documents',
    model,
    truncate: truncation ?? meantTruncation(truncate),
  };
}

/** Returns the response: the documents in the order of their scores. TEI's clients, who send `texts`, read a list. */
export function rerankView(
  body: RerankRequest,
  documents: readonly string[],
  scored: Embedded,
  id: string,
): RerankResponse | object[] {
  const { served, embeddings, promptTokens, cached, truncated } = scored;
  const isScore = body.raw_scores || served.model.hasFinalScores;
  const toScore = (score: number): number => (isScore ? score : 1 / (1 + Math.exp(-score)));
  const results = embeddings
    .map(({ vector: [logit = 0] }, index) => ({ index, logit }))
    .sort((a, b) => b.logit - a.logit)
    .slice(0, body.top_n || body.top_k || documents.length)
    .map(({ index, logit }) => ({ index, score: toScore(logit), text: documents[index]! }));
  if (body.texts)
    return results.map(({ index, score, text }) => ({ index, score, ...(hasText(body) && { text }) }));
  return {
    id,
    object: 'list',
    model: served.model.name,
    fingerprint: served.model.fingerprint,
    results: results.map(({ index, score, text }) => ({
      index,
      relevance_score: score,
      ...(hasText(body) && { document: { text } }),
    })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    cached,
    truncated: [...truncated],
    meta: { api_version: { version: '2' }, billed_units: { search_units: cached ? 0 : 1 } },
  };
}

const textOf = (document: string | { text: string }): string =>
  typeof document === 'string' ? document : document.text;
