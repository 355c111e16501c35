/** Reads the prompts that are prepended to queries and documents. */

import type { InputType, ModelOverrides } from '../../engine/src/index.ts';
import { isObject, type JsonObject } from '../../small/src/json.ts';

/** Those of queries and documents, and the others of the model's file by their names. */
export type Prompts = Readonly<Record<InputType, string>> & {
  readonly query: string;
  readonly document: string;
};

/** A cross-encoder has none: its tokenizer says how a query and a document are put together. */
export const noPrompts: Prompts = { query: '', document: '' };

// The lookup order of sentence-transformers comes first.
const names = {
  query: ['query', 'search_query', 'retrieval.query'],
  document: ['document', 'passage', 'corpus', 'search_document', 'retrieval.passage'],
} as const;

/**
 * Returns the prompts of `config_sentence_transformers.json`. For queries and documents the overrides come first, and
 * the default prompt or none follows. `hasOthers`: with the prompts under other names.
 */
export function readPrompts(config: JsonObject, overrides: ModelOverrides, hasOthers: boolean): Prompts {
  const prompts = isObject(config.prompts) ? config.prompts : {};
  const named = (name: string): string | undefined => {
    const prompt = prompts[name];
    return typeof prompt === 'string' ? prompt : undefined;
  };
  const stated = (inputType: keyof typeof names): string => {
    const name = [...names[inputType], String(config.default_prompt_name)].find(
      (n) => named(n) !== undefined,
    );
    return name === undefined ? '' : named(name)!;
  };
  const synonyms: readonly string[] = Object.values(names).flat();
  const own = Object.keys(prompts).filter((name) => named(name) !== undefined && !synonyms.includes(name));
  return {
    ...Object.fromEntries((hasOthers ? own : []).map((name) => [name, named(name)!])),
    query: overrides.queryPrompt ?? stated('query'),
    document: overrides.documentPrompt ?? stated('document'),
  };
}
