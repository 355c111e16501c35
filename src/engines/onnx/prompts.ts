/** Reads the prompts that are prepended to queries and documents. */
import { isObject, type JsonObject } from '../../lib/json.ts';
import type { InputType } from '../engine.ts';
import type { ModelOverrides } from './overrides.ts';

export type Prompts = Readonly<Record<InputType, string>>;

/** A cross-encoder has none: its tokenizer says how a query and a document are put together. */
export const noPrompts: Prompts = { query: '', document: '' };

// In the lookup order of sentence-transformers.
const names: Readonly<Record<InputType, readonly string[]>> = {
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
};

/**
 * Returns the overrides, otherwise the prompts of `config_sentence_transformers.json` for queries and documents, its
 * default prompt, or no prompt.
 */
export function readPrompts(config: JsonObject, overrides: ModelOverrides): Prompts {
  const prompts = isObject(config.prompts) ? config.prompts : {};
  const named = (name: string): string | undefined => {
    const prompt = prompts[name];
    return typeof prompt === 'string' ? prompt : undefined;
  };
  const stated = (inputType: InputType): string => {
    const name = [...names[inputType], String(config.default_prompt_name)].find(
      (n) => named(n) !== undefined,
    );
    return name === undefined ? '' : named(name)!;
  };
  return {
    query: overrides.queryPrompt ?? stated('query'),
    document: overrides.documentPrompt ?? stated('document'),
  };
}
