import type { FastifyReply, FastifyRequest } from 'fastify';
import { meantTruncation } from '../../api/embedding.ts';
import { RerankRequest, RerankResponse } from '../../api/rerank.ts';
import { joinPair } from '../../engines/pair.ts';
import { invalidField } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { embedTexts, offerOf } from '../embed-texts.ts';
import { recording } from '../record-request.ts';

/** Registers POST /v1/rerank, or the same at another path. `hide`: the description of the API leaves the route out. */
export function rerankRoute(app: App, services: Services, { url = '/v1/rerank', hide = false } = {}): void {
  app.post<{ Body: RerankRequest }>(
    url,
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      ...described('key', 'rerank', 'Rerank documents', {
        hide,
        description:
          'Returns the documents in the order of their relevance for the query. The request is counted like one that embeds as many texts, and each pair of query and document is cached like a text.',
        body: RerankRequest,
        response: { 200: RerankResponse },
      }),
      ...recording(services),
    },
    // TEI's clients read a list.
    async (request, reply) => reply.send((await rerank(services, request, reply)) as never),
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
  const { query, texts, model, raw_scores: isRaw = false, truncate, ...body } = request.body;
  if (texts && body.documents) throw invalidField('texts', 'texts must not be sent beside documents');
  const documents = texts ?? (body.documents ?? []).map((document) => textOf(document));
  if (documents.length === 0) throw invalidField('documents', 'documents is missing: send a list of texts');
  const isUpstream = offerOf(model, services.models, { task: 'rerank' }).served.upstreams.length > 0;
  if (isRaw && isUpstream)
    throw invalidField('raw_scores', 'raw_scores must be false: an upstream computes the scores');
  const most = Math.floor(maxQueryCopies / query.length);
  if (documents.length > most)
    throw invalidField('documents', `documents can have at most ${most} texts for a query of this length`);
  request.hold.add(documents.length * query.length * bytesPerUnit);
  const hasText = body.return_text ?? body.return_documents ?? false;
  const returned = hasText ? documents.reduce((units, { length }) => units + length, 0) : 0;
  request.hold.addResponse(documents.length * bytesPerResult + returned * bytesPerUnit);
  const wellFormed = query.toWellFormed();
  const scored = await embedTexts(services, request, reply, {
    texts: documents.map((document) => joinPair(wellFormed, document.toWellFormed())),
    task: 'rerank',
    param: texts ? 'texts' : 'documents',
    model,
    truncate: meantTruncation(truncate),
  });
  const { served, embeddings, promptTokens, cached, truncated } = scored;
  const toScore = (score: number): number => (isRaw || isUpstream ? score : 1 / (1 + Math.exp(-score)));
  const results = embeddings
    .map(({ vector: [logit = 0] }, index) => ({ index, logit }))
    .sort((a, b) => b.logit - a.logit)
    .slice(0, body.top_n || documents.length)
    .map(({ index, logit }) => ({ index, score: toScore(logit), text: documents[index]! }));
  if (texts) return results.map(({ index, score, text }) => ({ index, score, ...(hasText && { text }) }));
  return {
    id: request.id,
    object: 'list',
    model: served.model.name,
    fingerprint: served.model.fingerprint,
    results: results.map(({ index, score, text }) => ({
      index,
      relevance_score: score,
      ...(hasText && { document: { text } }),
    })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    cached,
    truncated: [...truncated],
    meta: { api_version: { version: '2' }, billed_units: { search_units: cached ? 0 : 1 } },
  };
}

const textOf = (document: string | { text: string }): string =>
  typeof document === 'string' ? document : document.text;
