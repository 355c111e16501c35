/** Reads the prompts that are prepended to queries and documents. */
import { isObject } from '../../../lib/json.ts';
import type { InputType } from '../engine.ts';
import type { JsonFiles } from './json-file.ts';
import type { ModelOverrides } from './overrides.ts';

export type Prompts = Readonly<Record<InputType, string>>;

const file = 'config_sentence_transformers.json';
// In the lookup order of sentence-transformers.
const names: Readonly<Record<InputType, readonly string[]>> = {
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
};

/** Returns the overrides, otherwise the file's prompts for queries and documents, its default prompt, or no prompt. */
export function readPrompts(files: JsonFiles, overrides: ModelOverrides): Prompts {
  const config = files.object(file);
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
