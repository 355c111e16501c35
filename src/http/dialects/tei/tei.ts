import { Type } from 'typebox';
import { meantInputType, meantTruncation } from '../../../api/embedding.ts';
import { InputText, TextOrTexts } from '../../../api/tokens.ts';
import { maxTexts } from '../../../embeddings/request-tokens.ts';
import { type ErrorCode, invalidField } from '../../../errors.ts';
import type { Services } from '../../../service/services.ts';
import type { App } from '../../app-types.ts';
import { rerankRoute } from '../../routes/rerank.ts';
import { tokenizeTexts } from '../../routes/tokenize.ts';
import type { Dialect } from '../dialect.ts';
import { embedRoute, refusedRoutes } from '../embed-route.ts';

const EmbedRequest = Type.Object({
  inputs: TextOrTexts,
  truncate: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  truncation_direction: Type.Optional(Type.String()),
  prompt_name: Type.Optional(Type.String()),
  normalize: Type.Optional(Type.Boolean()),
  dimensions: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** vLLM's clients send `prompt` in place of `inputs`, and the two fields after it. */
const TokenizeRequest = Type.Object({
  inputs: Type.Optional(TextOrTexts),
  prompt_name: Type.Optional(Type.String()),
  add_special_tokens: Type.Optional(Type.Boolean()),
  prompt: Type.Optional(InputText),
  model: Type.Optional(Type.String()),
  return_token_strs: Type.Optional(Type.Boolean()),
});

const refused = {
  '/embed_all': 'this service returns one vector per text. Use /embed',
  '/embed_sparse': 'this service has no sparse models. Use /embed',
};
const paths = new Set(['/', '/embed', '/rerank', '/tokenize', '/info', ...Object.keys(refused)]);

/** TEI's names for kinds of errors. All others are `Backend`. */
const types: Partial<Record<ErrorCode, { status?: number; type: string }>> = {
  invalid_request: { status: 422, type: 'Validation' },
  payload_too_large: { type: 'Validation' },
  not_found: { type: 'Validation' },
  model_retired: { type: 'Validation' },
  fingerprint_mismatch: { type: 'Validation' },
  rate_limit_exceeded: { type: 'Overloaded' },
  overloaded: { type: 'Overloaded' },
  unavailable: { type: 'Unhealthy' },
};

/** Hugging Face's text-embeddings-inference, at the root, because its clients know no other path. */
export const tei: Dialect = {
  owns: (path) => paths.has(path),
  error({ code, status: own, message }) {
    const { status = own, type } = types[code] ?? { type: 'Backend' };
    return { status, body: { error: message, error_type: type } };
  },
  routes(app, services) {
    embedRoute(app, services, {
      urls: ['/embed', '/'],
      body: EmbedRequest,
      wanted({
        inputs,
        truncate,
        truncation_direction: direction,
        prompt_name: prompt,
        normalize,
        dimensions,
      }) {
        if (direction?.toLowerCase() === 'left')
          throw invalidField(
            'truncation_direction',
            'truncation_direction must be "right": texts are cut at their end',
          );
        if (normalize === false)
          throw invalidField('normalize', 'normalize must be true: all vectors have the length 1');
        return {
          texts: [inputs].flat(),
          inputType: typeOf(prompt),
          truncate: meantTruncation(truncate),
          dimensions,
        };
      },
      view: (_embedded, vectors) => vectors,
    });
    rerankRoute(app, services, { url: '/rerank', hide: true });
    tokenizeRoute(app, services);
    refusedRoutes(app, refused);
  },
  publicRoutes: infoRoute,
};

const typeOf = (prompt?: string) =>
  prompt === undefined ? undefined : meantInputType(prompt, 'prompt_name');

function tokenizeRoute(app: App, services: Services): void {
  const schema = { hide: true, body: TokenizeRequest };
  const config = { access: 'embed', waitsFor: 'model', bodyBound: 'MAX_BODY_KB' } as const;
  app.post('/tokenize', { config, schema }, async (request, reply) => {
    const {
      inputs,
      prompt,
      model,
      prompt_name: name,
      add_special_tokens: addSpecialTokens = true,
    } = request.body;
    const texts = inputs ?? prompt;
    if (texts === undefined) throw invalidField('inputs', 'inputs is missing');
    const vllms = request.body.return_token_strs ? 'vllm-pieces' : 'vllm';
    const { json } = await tokenizeTexts(services, request, reply, {
      texts: [texts].flat(),
      model,
      inputType: typeOf(name),
      addSpecialTokens,
      form: inputs === undefined ? vllms : 'list',
    });
    const parts = inputs === undefined ? json : [Buffer.from('['), ...json, Buffer.from(']')];
    return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts));
  });
}

/** Clients read the limits before they have a key. */
function infoRoute(app: App, { models, version, load }: Services): void {
  app.get('/info', { schema: { hide: true } }, async () => {
    const { name, maxTokens, pooling, dtype, fingerprint } = models.default.served.model;
    return {
      model_id: name,
      model_sha: fingerprint,
      model_dtype: dtype ?? null,
      model_type: { embedding: { pooling: pooling ?? 'none' } },
      max_concurrent_requests: load.bounds.maxRequestsPerOrganization,
      max_input_length: maxTokens,
      max_client_batch_size: maxTexts,
      auto_truncate: true,
      version,
    };
  });
}
