/** Decodes arrays of OpenAI's token ids, which some clients send instead of texts. */
import { invalidField, type ServiceError } from '../errors.ts';
import { type InTurn, stepInTurns } from '../lib/fair-turns.ts';
import { lazily } from '../lib/lazily.ts';

/** The encoding of OpenAI's models for embeddings. */
const encoding = 'cl100k_base';
const ranks = lazily(async () => tableOf((await import('js-tiktoken/ranks/cl100k_base')).default));

/** Returns the bytes of each token by its id, as binary strings. Special tokens have none. */
function tableOf({ bpe_ranks: lines }: { readonly bpe_ranks: string }): string[] {
  const table: string[] = [];
  for (const line of lines.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    for (const [i, token] of tokens.entries()) table[Number(first) + i] = atob(token);
  }
  return table;
}

/**
 * Returns the text of each array. A character that begins in one array and ends in the next becomes replacement
 * characters. Throws `invalid_request` for an id that stands for no text.
 */
export async function decodeTokens(
  arrays: readonly (readonly number[])[],
  inTurn: InTurn,
  nameOf = (index: number) => `input[${index}]`,
): Promise<string[]> {
  const table = await ranks.get();
  const texts: string[] = [];
  const decode = (array: readonly number[], index: number): string => {
    const unknown = array.find((id) => table[id] === undefined);
    if (unknown !== undefined) throw notText(nameOf(index), unknown);
    return Buffer.from(array.map((id) => table[id]).join(''), 'latin1').toString();
  };
  await stepInTurns(arrays.length, inTurn, (index) => texts.push(decode(arrays[index]!, index)));
  return texts;
}

function notText(name: string, id: number): ServiceError {
  return invalidField(
    'input',
    `${name} has the token id ${id}, which stands for no text in ${encoding}. Send text instead: in LangChain, ` +
      'pass check_embedding_ctx_length=False',
  );
}
