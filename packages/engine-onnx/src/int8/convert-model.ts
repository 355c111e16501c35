import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { convertEncoder, readPublished } from '../../../encoder-native/src/index.ts';
import type { ModelOverrides } from '../../../engine/src/index.ts';
import { convertGraph, NotConvertible, weightsFile } from '../../../onnx-int8/src/index.ts';
import { codeOf, ifAbsent, messageOf } from '../../../small/src/errors.ts';
import { makePrivateDirectory } from '../../../small/src/files.ts';
import { agreementOf, computeSamples, type Samples } from '../agreement.ts';
import { batchOf } from '../batch.ts';
import { sha256OfFile } from '../file-hash.ts';
import { type ModelDirectory, readModelDirectory } from '../model-directory.ts';
import { convertedDtype, isWeights, sourceFile } from '../model-file.ts';
import { openOnnxEngine } from '../onnx-engine.ts';
import { manifestName, sealBuilt } from '../sealed-directory.ts';
import type { TokenizedText } from '../tokenized-text.ts';
import { type ConversionRecord, isConvertedDirectory, readRecord, recordFile } from './conversion-record.ts';

/** Converts models to row-wise int8. A converted model is a sealed directory of its own beside the original. */

export interface Int8Request {
  /** The original, in the layout of a Hugging Face export. It can be a converted one, which is then used as it is. */
  readonly directory: string;
  readonly dataDir: string;
  readonly overrides: ModelOverrides;
  /** A conversion with a lower correlation on the sample texts is refused. Default: 0.99, for new ones only. */
  readonly minCorrelation?: number | undefined;
  /** Called with the number of bytes processed and their sum, first with 0, and only if there is work to do. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Int8Model extends ConversionRecord {
  readonly directory: string;
}

/**
 * Below this, a search would find other texts than with the original. all-MiniLM-L6-v2 has 0.997, and loses 0.001 of its
 * Spearman correlation on the STS Benchmark. A variant of it with large weights has 0.972 and loses 0.029.
 */
const defaultMinCorrelation = 0.99;
/**
 * A model of which one text gets a vector below this is refused, whatever the correlation of all: a few weights can
 * spoil single texts and no others. all-mpnet-base-v2 had 0.19 with a correlation of 0.9892.
 */
const minCosine = 0.9;

// Increment when the result of the conversion changes. The old directory stays, because an older process may use it.
const conversionVersion = 6;
/** The file of a converted model. */
const targetOf = ({ modelFile }: ModelDirectory): string =>
  isWeights(modelFile) ? weightsFile : 'onnx/model.onnx';
const decimals = 4;
const inFloat32 = 'EMBEDDING_DTYPE=fp32 (dtype in a file)';
/** With these errors, the file system doesn't let this process write beside the original. */
const unwritable = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Returns the converted model, converting it first if needed. Several processes can call this concurrently. An
 * interrupted conversion leaves nothing that is ever used. Throws one line for the operator.
 */
export async function ensureInt8Model(request: Int8Request): Promise<Int8Model> {
  const directory = resolve(request.directory);
  const itself = await readRecord(directory);
  if (itself) return accepted({ directory, ...itself }, request);
  const { dtype: _dtype, ...overrides } = request.overrides;
  const model = readModelDirectory(directory, overrides);
  const source = { ...(await sumsOf(model)), ...(model.isCrossEncoder && { task: 'rerank' }) };
  const places = placesFor(directory, request.dataDir);
  for (const place of places) {
    const record = await readRecord(place);
    if (record && isSame(record.source, source)) return accepted({ directory: place, ...record }, request);
  }
  const [beside = '', inData = ''] = places;
  const conversion = { ...request, directory, overrides, model, source };
  try {
    return await convert(conversion, beside);
  } catch (error) {
    if (!unwritable.has(String(codeOf(error)))) throw error;
  }
  try {
    makePrivateDirectory(request.dataDir);
    return await convert(conversion, inData);
  } catch (cause) {
    if (!unwritable.has(String(codeOf(cause)))) throw cause;
    const remedy = `make one writable, or run "embedgate models convert ${directory}" before, where that is possible`;
    throw new Error(`neither ${beside} nor ${inData} can be written: ${messageOf(cause)}; ${remedy}`, {
      cause,
    });
  }
}

/** Returns the directories that a converted model can have: beside the original, or else in the data directory. */
function placesFor(directory: string, dataDir: string): string[] {
  const name = `${basename(directory)}.${convertedDtype}-${conversionVersion}`;
  const path = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  return [
    join(dirname(directory), name),
    join(resolve(dataDir), 'models', convertedDtype, `${path}-${name}`),
  ];
}

interface Conversion extends Int8Request {
  readonly model: ModelDirectory;
  readonly source: ConversionRecord['source'];
}

async function convert(conversion: Conversion, target: string): Promise<Int8Model> {
  const { model, overrides, source, onProgress } = conversion;
  if (!(await isReplaceable(target))) {
    throw new Error(`${target} is not a converted model, but that is where it would be; rename or remove it`);
  }
  let record: ConversionRecord | undefined;
  try {
    const build = async (path: string): Promise<void> => {
      const to = join(path, targetOf(model));
      await mkdir(dirname(to), { recursive: true });
      let computed: Promise<Samples<TokenizedText>> | undefined;
      const original = () => (computed ??= samplesOf(model, overrides));
      const products = await rounded(model, to, async () => (await original()).texts, onProgress);
      await copyOthers(model, path);
      const [before, after] = [await original(), await samplesOf({ ...model, directory: path }, overrides)];
      record = { source, products, ...agreementOf(before, after) };
      refuseSpoiled(record, conversion);
      refuseDistant(record, conversion, conversion.minCorrelation ?? defaultMinCorrelation);
      await writeFile(join(path, recordFile), `${JSON.stringify(record)}\n`);
    };
    await sealBuilt(target, build, (path) => isOf(source, path));
  } catch (error) {
    if (unwritable.has(String(codeOf(error)))) throw error;
    const reason = reasonOf(error, isWeights(model.modelFile));
    throw new Error(`${model.modelFile} can't be converted to int8: ${reason}`, { cause: error });
  }
  return { directory: target, ...record! };
}

/** Writes the products in int8, and returns how many there are. */
async function rounded(
  model: ModelDirectory,
  to: string,
  textsOf: () => Promise<readonly TokenizedText[]>,
  onProgress: Int8Request['onProgress'],
): Promise<number> {
  const { modelFile, paddingId } = model;
  if (isWeights(modelFile)) {
    const texts = batchOf((await textsOf()).filter(({ tokenCount }) => tokenCount > 0));
    const made = { dense: model.pooling.dense, scoresPairs: model.isCrossEncoder };
    return convertEncoder({
      from: readPublished(modelFile, model.config, made),
      to,
      texts,
      onProgress,
    });
  }
  // Its runtime takes memory, which most processes don't need.
  const { computeTextsOf } = await import('./compute-texts.ts');
  const computeTexts = computeTextsOf(textsOf, paddingId);
  return (await convertGraph({ from: modelFile, to, computeTexts, ...(onProgress && { onProgress }) }))
    .products;
}

/** Reports whether `directory` is a complete conversion of the original with these files. */
async function isOf(source: ConversionRecord['source'], directory: string): Promise<boolean> {
  const record = await readRecord(directory);
  return record !== undefined && isSame(record.source, source);
}

/** Reports whether there is nothing at `target`, or only a conversion. Everything else belongs to someone else. */
async function isReplaceable(target: string): Promise<boolean> {
  const found = await stat(target).catch(ifAbsent(undefined));
  if (!found) return true;
  if (!found.isDirectory()) return false;
  // Another process may have moved the directory in the meantime.
  const names = await readdir(target).catch(ifAbsent<string[]>([]));
  return names.length === 0 || names.includes(recordFile) || names.includes(manifestName);
}

/** Copies the files that describe the model. */
async function copyOthers(model: ModelDirectory, to: string): Promise<void> {
  const { directory, files, modelFile } = model;
  const graph = relative(directory, modelFile).replaceAll('\\', '/');
  for (const file of files.filter((name) => !name.startsWith(graph) && /\.json$/.test(name))) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    if (file === 'tokenizer.json') await copyJson(join(directory, file), join(to, file));
    else await copyFile(join(directory, file), join(to, file));
  }
  const origin = await readFile(join(directory, sourceFile), 'utf8').catch(ifAbsent(undefined));
  if (origin === undefined) return;
  const source = { ...JSON.parse(origin), dtype: convertedDtype, graph: targetOf(model) };
  await writeFile(join(to, sourceFile), `${JSON.stringify(source)}\n`);
}

/** Copies a file without its white space, which is more than half of a large vocabulary, and takes memory at each start. */
async function copyJson(from: string, to: string): Promise<void> {
  await writeFile(to, JSON.stringify(JSON.parse(await readFile(from, 'utf8'))));
}

async function sumsOf({ directory, files }: ModelDirectory): Promise<Record<string, string>> {
  const sums = files.map(async (file) => [file, await sha256OfFile(join(directory, file))] as const);
  return Object.fromEntries(await Promise.all(sums));
}

function isSame(a: ConversionRecord['source'], b: ConversionRecord['source']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** An existing conversion was accepted once, so only a bound of this request is checked. */
function accepted(model: Int8Model, request: Int8Request): Int8Model {
  try {
    if (request.minCorrelation !== undefined) refuseDistant(model, request, request.minCorrelation);
  } catch (error) {
    throw new Error(`${request.directory} can't be used in int8: ${reasonOf(error)}`, { cause: error });
  }
  return model;
}

function refuseSpoiled({ lowestCosine, lowestText }: ConversionRecord, { model }: Conversion): void {
  if (lowestCosine >= minCosine || model.isCrossEncoder) return;
  throw new Error(
    `the text ${JSON.stringify(lowestText)} would get another vector than in float32, with a cosine of ` +
      `${lowestCosine.toFixed(decimals)}; use ${inFloat32}`,
  );
}

function refuseDistant(
  { correlation, lowestCosine }: ConversionRecord,
  { directory }: Int8Request,
  min: number,
): void {
  if (correlation >= min) return;
  const isConverted = isConvertedDirectory(directory);
  const original = isConverted ? 'the original' : inFloat32;
  const found = (Math.floor(correlation * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
  throw new Error(
    'it would rank texts in another order than float32: the similarities of the sample texts have a ' +
      `correlation of ${found}, and the bound is ${min} (the lowest cosine between two vectors of a text is ` +
      `${lowestCosine.toFixed(decimals)}); use ${original}, or accept them with ` +
      `"embedgate models convert ${directory} --min-correlation ${found}"`,
  );
}

function reasonOf(error: unknown, isOfWeights = false): string {
  if (error instanceof RangeError && isOfWeights) return 'it does not have all of its weights';
  if (error instanceof RangeError) return 'it is not an ONNX graph, or not all of one';
  if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') return 'the disk is full';
  const isQuantized = error instanceof NotConvertible && error.isQuantized;
  const remedy = '; set EMBEDDING_DTYPE (dtype in a file) to q8, or to the name of the graph';
  return messageOf(error) + (isQuantized ? remedy : '');
}

/** Computes the sample texts with a model. Throws when it can't be opened. */
async function samplesOf(
  { directory, modelFile }: Pick<ModelDirectory, 'directory' | 'modelFile'>,
  overrides: ModelOverrides,
): Promise<Samples<TokenizedText>> {
  // With the graph if there is one, because every machine can compute it.
  const threads = { workers: 1, threadsPerWorker: 1, native: isWeights(modelFile) };
  const settings = { directory, name: directory, ...threads, overrides };
  const engine = await openOnnxEngine(settings);
  try {
    return await computeSamples(engine);
  } finally {
    await engine.close();
  }
}
