import { type Static, Type } from 'typebox';
import { maxQueryUnits } from '../../packages/engine/src/index.ts';
import { maxTexts } from '../embeddings/request-tokens.ts';
import { Count, Flag, Many, response, Text } from './common.ts';
import { TokenUsage } from './embedding.ts';

const Document = Type.Union([
  Type.String(),
  Type.Object({ text: Type.String() }, { description: 'Its other fields are ignored.' }),
]);

/** A request in the form of Cohere, Jina and vLLM, with `documents`, or of TEI, with `texts`. */
export const RerankRequest = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: maxQueryUnits,
      description: 'What the documents are scored for.',
    }),
    documents: Type.Optional(
      Type.Union(
        [
          ...Document.anyOf,
          Type.Array(Type.String(), { minItems: 1, maxItems: maxTexts }),
          Type.Array(Document, { minItems: 1, maxItems: maxTexts }),
        ],
        { description: `One text, or a list of 1 to ${maxTexts} texts.` },
      ),
    ),
    texts: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: maxTexts,
        description:
          'TEI’s name of `documents`. The response is then a list of `index`, `score`, and `text` with `return_text`.',
      }),
    ),
    model: Type.Optional(
      Text(
        'The name or an alias of a model whose `task` is `rerank`. `GET /v1/models` lists them. Default: the ' +
          'first one.',
      ),
    ),
    top_n: Type.Optional(Count('Returns only this many results. Default and 0: all.')),
    top_k: Type.Optional(Count('Voyage’s name of `top_n`.')),
    return_documents: Type.Optional(Flag('Whether each result has its document.', false)),
    return_text: Type.Optional(Flag('TEI’s name of `return_documents`.')),
    raw_scores: Type.Optional(
      Flag(
        'Whether to return what the model computes, a number without bounds, instead of its sigmoid from 0 to ' +
          '1. An upstream’s scores are returned as they are, unless its settings call them logits: only `false` is possible.',
        false,
      ),
    ),
    truncate: Type.Optional(
      Type.Union([Type.Boolean(), Type.String()], {
        description:
          'As in `POST /v1/embeddings`. Of a query and a document that are too long together, the longer one ' +
          'is cut first.',
      }),
    ),
    truncation: Type.Optional(Flag('Voyage’s name of `truncate`.')),
  },
  {
    title: 'RerankingRequest',
    description:
      'Either `documents` or `texts`. Unknown fields are ignored, except one that nearly has the name of a ' +
      'known field. `null` in a field counts as if the field were absent.',
    examples: [{ query: 'What is a panda?', documents: ['hi', 'The giant panda is a bear.'], top_n: 1 }],
  },
);
export type RerankRequest = Static<typeof RerankRequest>;

export const RerankResponse = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('list'),
    model: Text('The model that computed the scores.'),
    fingerprint: Text('As in the response of `POST /v1/embeddings`.'),
    results: Many(
      Type.Object({
        index: Count('The index in `documents`.'),
        relevance_score: Type.Number(),
        document: Type.Optional(Type.Object({ text: Type.String() })),
      }),
      'The best first.',
    ),
    usage: TokenUsage,
    cached: Flag('True if and only if nothing was computed for this request. Such a request is not counted.'),
    truncated: Many(Count(), 'The indexes of the documents that were cut, or whose query was.'),
    meta: Type.Object(
      {
        api_version: Type.Object({ version: Type.String() }),
        billed_units: Type.Object({ search_units: Type.Integer() }),
      },
      { description: 'For Cohere’s clients.' },
    ),
  },
  response('Reranking', 'The documents in the order of their scores, or TEI’s list.'),
);
export type RerankResponse = Static<typeof RerankResponse>;

/** What each field must be, for errors. */
export const rerankExpectations: Readonly<Record<string, string>> = {
  query: `a text of 1 to ${maxQueryUnits} UTF-16 code units`,
  documents: `a text, or a list of 1 to ${maxTexts} texts or of objects with "text"`,
  texts: `a list of 1 to ${maxTexts} texts`,
  top_n: 'a whole number of 0 or more',
  top_k: 'a whole number of 0 or more',
  return_documents: 'true or false',
  return_text: 'true or false',
  raw_scores: 'true or false',
};
