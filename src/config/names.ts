import type { Alias } from '../../packages/engine/src/index.ts';
import { inputTypeOf } from '../embeddings/input-types.ts';

const maxNameLength = 200;

export const isName = (text: string): boolean =>
  text !== '' && text.length <= maxNameLength && !/\p{Cc}/u.test(text);
export const notAName = `is empty, is longer than ${maxNameLength} characters, or has unprintable characters`;
export const aliasExample = 'text-embedding-3-small, or my-model-query?input_type=query&dimensions=256';

/** An alias for the names of OpenAI's models, which are the default of many clients. */
const openaiAlias = 'openai';
export const openaiModels: readonly string[] = [
  'text-embedding-3-small',
  'text-embedding-3-large',
  'text-embedding-ada-002',
];

/**
 * Reads one alias: a name, which can be followed by how to embed texts, such as `?input_type=query`. `openai` stands
 * for several. Calls `refuse` with what is wrong.
 */
export function readAliases(text: string, refuse: (fault: string) => never): readonly Alias[] {
  if (text === openaiAlias) return openaiModels.map((name) => ({ name }));
  const at = text.indexOf('?');
  const name = at < 0 ? text : text.slice(0, at);
  if (!isName(name)) refuse(notAName);
  const alias: { -readonly [K in keyof Alias]: Alias[K] } = { name };
  for (const [field, value] of new URLSearchParams(at < 0 ? '' : text.slice(at))) {
    const inputType = inputTypeOf(value);
    if (field === 'input_type' && inputType) alias.inputType = inputType;
    else if (field === 'dimensions' && /^[1-9]\d{0,5}$/.test(value)) alias.dimensions = Number(value);
    else if (field === 'truncate' && /^(true|false)$/.test(value)) alias.truncate = value === 'true';
    else
      refuse(
        `"${name}" has ${field}=${value}, which is not one of input_type=query|document, dimensions=N and ` +
          'truncate=true|false',
      );
  }
  return [alias];
}
