/** Compares the scores that HTTP returns with those of sentence-transformers' CrossEncoder. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../helpers/directory.ts';
import { cacheDirectory, hashOf, installOnce, pythonWith, runPython } from '../helpers/python.ts';
import { startService } from '../helpers/service.ts';
import type { Compared } from './compare-model.ts';

const place = (name: string): string => fileURLToPath(new URL(`writer/${name}`, import.meta.url));
const program = place('write_rerankers.py');
const mostDifference = 1e-5;
const documentsPerQuery = 60;
/** The share of pairs that transformers may read otherwise than tokenizer.json says. */
const mayReadOtherwise = 0.02;

interface Reference {
  readonly scores: readonly number[];
  readonly otherwise: readonly number[];
  readonly max_tokens: number;
}

/** Compares each cross-encoder, from its graph and as its authors publish it. `corpus` is a file with the texts that tokenizers are trained on. */
export async function compareRerankers(
  texts: readonly string[],
  corpus: string,
): Promise<(Compared & { readonly name: string })[]> {
  const sentences = texts.filter((text) => text.trim() !== '');
  const queries = [
    'how do I reset my password?',
    '猫',
    sentences.slice(0, 80).join(' ').slice(0, 8_000),
    'rain',
  ];
  const grouped = queries.map((query, i) => ({
    query,
    documents: sentences.filter((_, at) => (at + i) % Math.ceil(sentences.length / documentsPerQuery) === 0),
  }));
  const pairs = grouped.flatMap(({ query, documents }) => documents.map((document) => [query, document]));
  using published = temporaryDirectory();
  const file = join(published.path, 'pairs.json');
  writeFileSync(file, JSON.stringify(pairs));
  const directory = cacheDirectory(
    'rerankers',
    // The pairs come from this project's own texts, which change.
    hashOf([corpus, program, file, ...['constraints.txt', 'architectures.py'].map(place)]),
  );
  installOnce(directory, () => {
    const python = pythonWith(place('requirements.txt'));
    runPython(python, program, [directory, corpus, file]);
  });
  const names = readdirSync(directory).filter((name) => name.startsWith('rerank-'));
  const compared: (Compared & { readonly name: string })[] = [];
  for (const name of names) {
    const [exported, folder] = [join(directory, name), join(published.path, name)];
    cpSync(exported, folder, { recursive: true });
    rmSync(join(folder, 'onnx'), { recursive: true });
    compared.push({ name, ...(await compare(exported, grouped)) });
    compared.push({ name: `${name} from safetensors`, ...(await compare(folder, grouped)) });
  }
  return compared;
}

async function compare(
  directory: string,
  grouped: readonly { readonly query: string; readonly documents: readonly string[] }[],
): Promise<Compared> {
  const reference: Reference = JSON.parse(readFileSync(join(directory, 'scores.json'), 'utf8'));
  const environment = { RERANK_MODEL: directory, RERANK_MAX_TOKENS: String(reference.max_tokens) };
  await using service = await startService({ environment });
  const scores: number[] = [];
  for (const { query, documents } of grouped) {
    const response = await fetch(`${service.address}/rerank`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
      body: JSON.stringify({ query, texts: documents, raw_scores: true }),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const results = (await response.json()) as { index: number; score: number }[];
    scores.push(...results.sort((a, b) => a.index - b.index).map(({ score }) => score));
  }
  const pairs = grouped.flatMap(({ query, documents }) => documents.map((text) => ({ query, text })));
  const otherwise = new Set(reference.otherwise);
  const off = scores.map((score, i) => (otherwise.has(i) ? 0 : Math.abs(score - reference.scores[i]!)));
  const differences = pairs.flatMap(({ text }, i) =>
    off[i]! <= mostDifference ? [] : [{ text, what: `${scores[i]} instead of ${reference.scores[i]}` }],
  );
  if (otherwise.size > pairs.length * mayReadOtherwise)
    differences.push({ text: directory, what: 'transformers reads too many pairs otherwise' });
  const spread = Math.max(...reference.scores) - Math.min(...reference.scores);
  return {
    facts: [
      `${pairs.length} pairs: raw scores differ by at most ${Math.max(...off).toExponential(1)}, and span ${spread.toFixed(2)}; ` +
        `${otherwise.size} pairs that transformers reads otherwise`,
    ],
    differences,
  };
}
