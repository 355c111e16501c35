import { type Static, Type } from 'typebox';
import { meantInputType, meantTruncation } from '../../../api/embedding.ts';
import { InputText } from '../../../api/tokens.ts';
import {
  type EncodedType,
  EncodedVector,
  isOutputType,
  outputTypes,
} from '../../../embeddings/output-types.ts';
import { maxTexts } from '../../../embeddings/request-tokens.ts';
import { invalidField } from '../../../errors.ts';
import { rerankRoute } from '../../routes/rerank.ts';
import type { Dialect } from '../dialect.ts';
import { embedRoute } from '../embed-route.ts';

const Content = Type.Object({ type: Type.String(), text: Type.Optional(InputText) });
type EmbedRequest = Static<typeof EmbedRequest>;
const EmbedRequest = Type.Object({
  model: Type.Optional(Type.String()),
  input_type: Type.Optional(Type.String()),
  texts: Type.Optional(Type.Array(InputText, { maxItems: maxTexts })),
  inputs: Type.Optional(
    Type.Array(Type.Object({ content: Type.Array(Content, { minItems: 1 }) }), { maxItems: maxTexts }),
  ),
  images: Type.Optional(Type.Array(Type.String())),
  output_dimension: Type.Optional(Type.Integer({ minimum: 1 })),
  embedding_types: Type.Optional(Type.Array(Type.String())),
  truncate: Type.Optional(Type.String()),
});

/** Cohere's API, below `/cohere` and at the root. */
export const cohere: Dialect = {
  owns: (path) => ['/v1/embed', '/v2/embed', '/v2/rerank'].includes(path) || path.startsWith('/cohere/'),
  error: ({ status, message, fault }) => ({
    status: fault === 'unknown model' ? 404 : status,
    body: { message },
  }),
  routes(app, services) {
    for (const url of ['/v2/rerank', '/cohere/v2/rerank', '/cohere/v1/rerank'])
      rerankRoute(app, services, { url, hide: true });
    embedRoute(app, services, {
      urls: ['/v1/embed', '/v2/embed', '/cohere/v1/embed', '/cohere/v2/embed'],
      body: EmbedRequest,
      wanted({ model, input_type: type, output_dimension: dimensions, truncate, ...body }) {
        return {
          texts: textsOf(body),
          model,
          inputType: type === undefined ? undefined : meantInputType(type, 'input_type'),
          truncate: meantTruncation(truncate),
          dimensions,
          types: typesOf(body),
        };
      },
      view({ promptTokens, cached }, vectors, { body, asked, request: { id, url } }) {
        const version = /v\d(?=\/embed)/.exec(url)?.[0].slice(1);
        const isPlain = version === '1' && !body.embedding_types?.length;
        const byType = (asked.types ?? []).map((type) => [
          type,
          vectors.map((vector) => new EncodedVector(vector, type)),
        ]);
        return {
          id,
          response_type: isPlain ? 'embeddings_floats' : 'embeddings_by_type',
          embeddings: isPlain ? vectors : Object.fromEntries(byType),
          texts: asked.texts,
          meta: {
            api_version: { version },
            billed_units: { input_tokens: cached ? 0 : promptTokens },
            cached_tokens: cached ? promptTokens : 0,
          },
        };
      },
    });
  },
};

/** Returns the types that a request asks for, once each. Throws `invalid_request` for an unknown one. */
function typesOf({ embedding_types: types = [] }: EmbedRequest): EncodedType[] {
  const isType = (type: string): type is EncodedType => type === 'base64' || isOutputType(type);
  if (!types.every(isType))
    throw invalidField(
      'embedding_types',
      `embedding_types must be one or more of ${[...outputTypes, 'base64'].join(', ')}`,
    );
  return types.length > 0 ? [...new Set(types)] : ['float'];
}

/**
 * Returns the texts of `texts`, or of `inputs`, whose parts are one text. Throws `invalid_request` if there is none.
 */
function textsOf({ texts, inputs, images }: EmbedRequest): string[] {
  if (images !== undefined) throw invalidField('images', 'images can’t be embedded here: send texts');
  const all = texts ?? inputs?.map(textOf) ?? [];
  if (all.length === 0) throw invalidField('texts', 'texts must have at least one text');
  return all;
}

const textOf = ({ content }: { content: Static<typeof Content>[] }): string => {
  if (content.some(({ type, text }) => type !== 'text' || text === undefined))
    throw invalidField('inputs', 'inputs must have only texts: nothing else can be embedded here');
  return content.map(({ text }) => text).join('\n');
};
