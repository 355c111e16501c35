import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Gives the tokenizer of a model that `writeBertModel` has written one word more than the graph has rows for,
 * so the graph fails at each text with that word.
 */
export async function addUnknownRow(directory: string, word: string): Promise<void> {
  const file = join(directory, 'tokenizer.json');
  const json = JSON.parse(await readFile(file, 'utf8')) as { model: { vocab: Record<string, number> } };
  json.model.vocab[word] = 1_000_000;
  await writeFile(file, JSON.stringify(json));
}
