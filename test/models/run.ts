import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/directory.ts';
import { ModelHub } from '../helpers/model-hub.ts';
import { NotInstalled } from '../helpers/python.ts';
import { compareBuiltin } from './builtin.ts';
import {
  type Compared,
  type Comparison,
  compareModel,
  compareQuality,
  compareRefusal,
  type QuantizedGraph,
} from './compare-model.ts';
import { compareNative } from './native.ts';
import { pythonOfReference } from './reference.ts';
import { compareRerankers } from './rerankers.ts';
import { variedTexts } from './texts.ts';
import { writtenModels } from './written-models.ts';

// `npm run test:models`: pulls models from a hub on this machine, serves them, and compares tokens and vectors with the
// Python package `sentence-transformers`. Arguments choose the models whose name contains one of them; `rerank` compares cross-encoders. The packages and
// the models stay in the person's cache directory, and take 16 GB. Without Python or a package registry it is skipped.

const organization = 'compared';
const shownDifferences = 3;
/** The only model with weights that were trained. */
const trained = 'all-MiniLM-L6-v2';
/** Its other graphs: one that is published, and one that the service makes itself. */
const quantized: readonly QuantizedGraph[] = [
  { dtype: 'q8', mayLose: 0.01 },
  { dtype: 'int8', mayLose: 0.004 },
];
/** The share of texts that sentence-transformers may read otherwise than tokenizer.json says: see reference.py. */
const mayReadOtherwise = 0.01;
/**
 * Version 5 of transformers splits ALBERT's texts at white space first, so white space at an end has no token, and gives
 * Gemma's tokenizer a token for <mask>.
 */
const mayReadOtherwiseOf: Readonly<Record<string, number>> = { 'albert-mean': 0.15, 'gemma3-mean': 0.02 };
/** Models that can't be served exactly, and a part of the message. */
const refused: Readonly<Record<string, string>> = {
  'mistral-weighted': 'only a graph with an output "sentence_embedding" can hold',
};

const wanted = process.argv.slice(2);
try {
  // Before the first comparison, so that a machine without them skips instead of failing halfway.
  pythonOfReference();
  await compareAll(await writtenModels());
} catch (error) {
  if (!(error instanceof NotInstalled)) throw error;
  console.log(`skipped: ${error.message}`);
}

async function compareAll(root: string): Promise<void> {
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isWanted(entry.name))
    .map(({ name }) => name);
  const directories = names.map((name) => [`${organization}/${name}`, { directory: join(root, name) }]);
  await using hub = await ModelHub.start(Object.fromEntries(directories));
  using scratch = temporaryDirectory();
  const texts = await variedTexts();
  const textsFile = join(scratch.path, 'texts.json');
  writeFileSync(textsFile, JSON.stringify(texts));
  let [passed, failed] = [0, 0];
  const report = (name: string, { facts, differences }: Compared): void => {
    if (differences.length > 0) failed += 1;
    else passed += 1;
    console.log(`${differences.length === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    for (const fact of facts) console.log(`         ${fact}`);
    for (const { text, what } of differences.slice(0, shownDifferences)) {
      console.log(`         ${JSON.stringify(text.slice(0, 60))}: ${what}`);
    }
  };
  for (const name of names) {
    const compared = await compare({
      directory: join(root, name),
      id: `${organization}/${name}`,
      endpoint: hub.endpoint,
      texts,
      textsFile,
      mayReadOtherwise: mayReadOtherwiseOf[name] ?? mayReadOtherwise,
    });
    report(name, compared);
  }
  if (isWanted('rerank')) {
    for (const { name, ...compared } of await compareRerankers(texts, join(root, 'corpus.json')))
      report(name, compared);
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

async function compare(comparison: Comparison): Promise<Compared> {
  const name = comparison.id.slice(organization.length + 1);
  const why = refused[name];
  if (why !== undefined) return await compareRefusal(comparison, why);
  const all = [await compareModel(comparison)];
  if (name === trained)
    all.push(
      await compareQuality(comparison, quantized),
      await compareBuiltin(comparison.directory),
      await compareNative(),
    );
  return {
    facts: all.flatMap(({ facts }) => facts),
    differences: all.flatMap(({ differences }) => differences),
  };
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((part) => name.includes(part));
}
