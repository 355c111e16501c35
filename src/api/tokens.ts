import { Type } from 'typebox';
import { maxTexts } from '../embeddings/request-tokens.ts';
import { Count, Flag, Many, Nullable, response, Text, Whole } from './common.ts';

export const InputText = Type.String({ minLength: 1 });
export const TextOrTexts = Type.Union([
  InputText,
  Type.Array(InputText, { minItems: 1, maxItems: maxTexts }),
]);

export const TokenizeRequest = Type.Object(
  {
    input: TextOrTexts,
    model: Type.Optional(Text('As in `POST /v1/embeddings`.')),
    input_type: Type.Optional(Text('Decides the prompt in front of the texts, as in `POST /v1/embeddings`.')),
    add_special_tokens: Type.Optional(Flag('Whether to add the tokens around each text.', true)),
  },
  { title: 'TokenizationRequest', examples: [{ input: 'The quick brown fox' }] },
);

const Tokens = Type.Object(
  {
    ids: Type.Array(Type.Integer()),
    pieces: Many(Nullable(Type.String()), 'The part of the text of each token.'),
    offsets: Many(
      Nullable(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })),
      'The first Unicode code point of each token and the one after its last, from the beginning of the ' +
        'prompt. Null: a special token, or unknown.',
    ),
    count: Count('The number of all tokens of the text.'),
    fits: Flag('Whether the model reads the whole text.'),
  },
  { title: 'Tokens' },
);

export const TokenizeResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Many(Tokens, 'The tokens of each text, in the order of `input`.'),
    model: Type.String(),
    fingerprint: Text('As in the response of `POST /v1/embeddings`.'),
    max_input_tokens: Whole('The number of tokens of a text that the model reads.'),
  },
  response('Tokenization', 'The tokens of all texts.'),
);
