import { Type } from 'typebox';
import { isOutputType, meantInputType, meantTruncation } from '../../../api/embedding.ts';
import { toBase64 } from '../../../embeddings/encode.ts';
import { isPacked, toOutputType } from '../../../embeddings/output-types.ts';
import { maxTexts } from '../../../embeddings/request-tokens.ts';
import { invalidField } from '../../../errors.ts';
import type { Dialect } from '../dialect.ts';
import { embedRoute, Text } from '../embed-route.ts';

const Content = Type.Object({ type: Type.String(), text: Type.Optional(Text) });
const EmbedRequest = Type.Object({
  model: Type.Optional(Type.String()),
  input_type: Type.Optional(Type.String()),
  texts: Type.Optional(Type.Array(Text, { maxItems: maxTexts })),
  inputs: Type.Optional(
    Type.Array(Type.Object({ content: Type.Array(Content, { minItems: 1 }) }), { maxItems: maxTexts }),
  ),
  images: Type.Optional(Type.Array(Type.String())),
  output_dimension: Type.Optional(Type.Integer({ minimum: 1 })),
  embedding_types: Type.Optional(Type.Array(Type.String())),
  truncate: Type.Optional(Type.String()),
});

/** Cohere's API, version 2, below `/cohere` and at the root. */
export const cohere: Dialect = {
  owns: (path) => path === '/v2/embed' || path.startsWith('/cohere/'),
  error: ({ status, message, fault }) => ({
    status: fault === 'unknown model' ? 404 : status,
    body: { message },
  }),
  routes(app, services) {
    embedRoute(app, services, {
      urls: ['/v2/embed', '/cohere/v2/embed'],
      body: EmbedRequest,
      wanted({ model, input_type: type, output_dimension: dimensions, truncate, ...body }) {
        const types = body.embedding_types ?? [];
        if (!types.every((type) => type === 'base64' || isOutputType(type)))
          throw invalidField(
            'embedding_types',
            'embedding_types must be "float", "base64", "int8", "uint8", "binary", "ubinary", or several of them',
          );
        return {
          texts: textsOf(body),
          model,
          inputType: type === undefined ? undefined : meantInputType(type, 'input_type'),
          truncate: meantTruncation(truncate),
          dimensions,
          isPacked: types.some(isPacked),
        };
      },
      view({ promptTokens, cached }, vectors, { body, asked, request: { id } }) {
        const types = new Set(body.embedding_types?.length ? body.embedding_types : ['float']);
        return {
          id,
          response_type: 'embeddings_by_type',
          embeddings: Object.fromEntries(
            [...types].map((type) => [type, vectors.map((vector) => encoded(vector, type))]),
          ),
          texts: asked.texts,
          meta: {
            api_version: { version: '2' },
            billed_units: { input_tokens: cached ? 0 : promptTokens },
            cached_tokens: cached ? promptTokens : 0,
          },
        };
      },
    });
  },
};

const encoded = (vector: Float32Array, type: string) =>
  isOutputType(type) ? toOutputType(vector, type) : toBase64(vector);

/** Returns the texts of `texts`, or of `inputs`, whose parts are one text. Throws `invalid_request` if there is none. */
function textsOf({
  texts,
  inputs,
  images,
}: {
  texts?: string[];
  inputs?: Input[];
  images?: string[];
}): string[] {
  if (images !== undefined) throw invalidField('images', 'images can’t be embedded here: send texts');
  const all = texts ?? inputs?.map(textOf) ?? [];
  if (all.length === 0) throw invalidField('texts', 'texts must have at least one text');
  return all;
}

interface Input {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

const textOf = ({ content }: Input): string => {
  if (content.some(({ type, text }) => type !== 'text' || text === undefined))
    throw invalidField('inputs', 'inputs must have only texts: nothing else can be embedded here');
  return content.map(({ text }) => text).join('\n');
};
