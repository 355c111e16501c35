import type { InputType, Model } from '../../packages/engine/src/index.ts';

/** The words of other APIs: Cohere's, Voyage's, Jina's, Gemini's and those of models' own prompts. */
const words = {
  query: [
    'query',
    'search_query',
    'retrieval.query',
    'retrieval_query',
    'code.query',
    'code_retrieval_query',
    'question_answering',
    'fact_verification',
  ],
  document: [
    'document',
    'passage',
    'search_document',
    'retrieval.passage',
    'retrieval_document',
    'code.passage',
    'corpus',
    'classification',
    'clustering',
    'separation',
    'text-matching',
    'semantic_similarity',
  ],
};

const byWord = new Map(
  Object.entries(words).flatMap(([type, synonyms]) =>
    synonyms.map((word) => [word, type as keyof typeof words] as const),
  ),
);

export const inputTypeExpectation = `"query" or "document", or one of their synonyms: ${[...byWord.keys()]
  .filter((word) => !Object.hasOwn(words, word))
  .join(', ')}`;

/** Returns what a word of any API means, in upper or lower case. Undefined: it has no meaning here. */
export const inputTypeOf = (word: string): keyof typeof words | undefined => byWord.get(word.toLowerCase());

/** Returns the input type that a word means for a model, whose own prompts come first, in upper or lower case. */
export const inputTypeFor = ({ promptedTypes }: Model, word: string): InputType | undefined =>
  promptedTypes?.find((own) => own.toLowerCase() === word.toLowerCase()) ?? inputTypeOf(word);
