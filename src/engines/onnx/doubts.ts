/** What the log says at the start about a model whose vectors are right, but perhaps not as good as they could be. */
import type { ModelDirectory } from './model-directory.ts';

/** Models that need a prompt that no file of theirs states. */
const needPrompts =
  /(^|[/_-])(e5-(small|base|large)|nomic-embed-text|mxbai-embed-large|bge-(small|base|large)-(en|zh)|snowflake-arctic-embed)/i;

export function doubtsOf(model: ModelDirectory, appendsToken: boolean): string[] {
  const { prompts, pooling, directory, origin = directory } = model;
  const doubts: string[] = [];
  if (!prompts.query && !prompts.document && needPrompts.test(origin)) {
    doubts.push(
      'models of this family need prompts, which no file states; see the model card, and set EMBEDDING_QUERY_PROMPT and EMBEDDING_DOCUMENT_PROMPT (query_prompt and document_prompt in a file)',
    );
  }
  if (pooling.mode === 'last' && !appendsToken) {
    doubts.push(
      'the vector is that of the last token, but tokenizer.json appends no token to a text; models are usually trained with an end token there',
    );
  }
  return doubts;
}
