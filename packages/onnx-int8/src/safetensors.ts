/** Reads and writes weights in the format of https://github.com/huggingface/safetensors, also in several files. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { elementTypes } from './onnx-file.ts';
import { FileBytes } from './protobuf-file.ts';
import { bytesIn, elementBytes, type StoredTensor, sizeOf } from './stored-tensor.ts';

/** A tensor in a file of weights. Its elements stay where they are. */
export type WeightTensor = Pick<StoredTensor, 'name' | 'shape' | 'type' | 'elements'>;

/** A matrix of float32, float16 or bfloat16, as a product reads it. */
export interface Matrix {
  readonly tensor: WeightTensor;
  readonly rows: number;
  readonly columns: number;
  /** Whether the tensor holds the transposed matrix. */
  readonly isTransposed: boolean;
}

export interface StoredWeights {
  /** The file, or the one that lists the others. */
  readonly file: string;
  /** The names of all files, which are in its directory. */
  readonly files: readonly string[];
  readonly tensors: ReadonlyMap<string, WeightTensor>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The names of the file with weights, and of the one that lists several. */
export const weightsFile = 'model.safetensors';
export const weightsIndex = `${weightsFile}.index.json`;

const { float32, float16, bfloat16, int8, int64 } = elementTypes;
const types = new Map(Object.entries({ F32: float32, F16: float16, BF16: bfloat16, I8: int8, I64: int64 }));
const lengthBytes = 8;
/** A model of 10,000 tensors has a header of 1 MB. */
const maxJsonBytes = 32 << 20;
const maxRank = 8;

/** Opens `model.safetensors`, or the files that `model.safetensors.index.json` lists. Throws an error that names the file. */
export function openWeights(file: string): StoredWeights {
  if (!file.endsWith('.json')) {
    const { tensors, metadata } = readHeader(file, null);
    return { file, files: [weightsFile], tensors, metadata };
  }
  const names = shardsIn(file);
  const tensors = new Map<string, WeightTensor>();
  for (const name of new Set(names.values())) {
    for (const [key, tensor] of readHeader(join(dirname(file), name), name).tensors)
      if (names.get(key) === name) tensors.set(key, tensor);
  }
  const missing = [...names.keys()].find((name) => !tensors.has(name));
  if (missing !== undefined)
    throw new Error(`${file}: the file ${names.get(missing)} has no tensor "${missing}"`);
  return { file, files: [weightsIndex, ...new Set(names.values())], tensors, metadata: {} };
}

/** Returns the file of each tensor that an index lists. */
export function shardsIn(file: string): ReadonlyMap<string, string> {
  if (statSync(file).size > maxJsonBytes) throw new Error(`${file}: larger than ${maxJsonBytes} bytes`);
  const names = Object.entries<unknown>(Object(parsed(file, readFileSync(file, 'utf8')).weight_map));
  const wrong = names.find(
    ([, name]) => typeof name !== 'string' || !/^[\w-][\w.-]*\.safetensors$/.test(name),
  );
  if (names.length === 0 || wrong)
    throw new Error(`${file}: its "weight_map" must have the name of a file beside it for each tensor`);
  return new Map(names as [string, string][]);
}

function readHeader(file: string, name: string | null): Pick<StoredWeights, 'tensors' | 'metadata'> {
  const bytes = new FileBytes(file);
  try {
    const fail = (what: string): never => {
      throw new Error(`${file}: not a file of safetensors, or not all of one: ${what}`);
    };
    if (bytes.size < lengthBytes) fail(`it has ${bytes.size} bytes`);
    const length = Number(bytes.read({ from: 0, to: lengthBytes }).readBigUInt64LE());
    const from = lengthBytes + length;
    if (length > maxJsonBytes || from > bytes.size) fail(`it states a header of ${length} bytes`);
    const header = parsed(file, bytes.read({ from: lengthBytes, to: from }).toString());
    const tensors = new Map<string, WeightTensor>();
    for (const [key, entry] of Object.entries<unknown>(header)) {
      if (key === '__metadata__') continue;
      const { dtype, shape, data_offsets: offsets } = Object(entry) as Record<string, unknown>;
      const type = types.get(String(dtype)) ?? 0;
      if (!areSizes(shape) || !areSizes(offsets) || offsets.length !== 2)
        return fail(`the tensor "${key}" has no shape or no place`);
      const [begin = 0, end = 0] = offsets;
      const isInside = begin <= end && from + end <= bytes.size;
      // The size of an unknown type is unknown, and nothing can read it.
      if (!isInside || (type !== 0 && end - begin !== sizeOf(shape) * elementBytes[type]!))
        return fail(`the tensor "${key}" has another place than its shape needs`);
      const elements = { file: name, from: from + begin, to: from + end };
      tensors.set(key, { name: key, shape, type, elements });
    }
    // Each would take memory of its own.
    [...tensors.values()]
      .sort(({ elements: a }, { elements: b }) => a!.from - b!.from || a!.to - b!.to)
      .reduce((end, { name: key, elements }) => {
        if (elements!.from < end) fail(`the tensor "${key}" has a part of another one`);
        return elements!.to;
      }, 0);
    return { tensors, metadata: Object(header.__metadata__) };
  } finally {
    bytes.close();
  }
}

const areSizes = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= maxRank &&
  value.every((size) => Number.isSafeInteger(size) && size >= 0);

function parsed(file: string, text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file}: its JSON can't be read`, { cause });
  }
}

/** Reads a tensor. Numbers of float16 and bfloat16 become float32. */
export function readWeights({ file }: StoredWeights, tensor: WeightTensor) {
  const { shape, type } = tensor;
  const bytes = bytesIn(tensor, file);
  if (type !== float16 && type !== bfloat16) return { shape, type, bytes };
  const numbers = widened(new Uint8Array(bytes).buffer, type);
  return { shape, type: float32, bytes: Buffer.from(numbers.buffer) };
}

/** Returns numbers of float32, float16 or bfloat16 as float32. */
export function widened(buffer: ArrayBuffer, type: number): Float32Array<ArrayBuffer> {
  if (type === float16) return new Float32Array(new Float16Array(buffer));
  if (type !== bfloat16) return new Float32Array(buffer);
  // The upper half of a float32. `Uint32Array.from` would make a list of all numbers before.
  const halves = new Uint16Array(buffer);
  const bits = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) bits[i] = halves[i]! << 16;
  return new Float32Array(bits.buffer);
}

export interface WrittenTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | Int8Array | BigInt64Array;
}

/** Writes tensors into a new file. */
export function writeWeights(
  file: string,
  tensors: readonly WrittenTensor[],
  metadata: Readonly<Record<string, string>>,
): void {
  let end = 0;
  const entries = tensors.map(({ name, shape, values }) => {
    const dtype = values instanceof Float32Array ? 'F32' : values instanceof Int8Array ? 'I8' : 'I64';
    const begin = end;
    end += values.byteLength;
    return [name, { dtype, shape, data_offsets: [begin, end] }] as const;
  });
  const header = Buffer.from(JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) }));
  const length = Buffer.alloc(lengthBytes);
  length.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(file, length, { flag: 'wx' });
  const parts = tensors.map(
    ({ values }) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  );
  for (const part of [header, ...parts]) writeFileSync(file, part, { flag: 'a' });
}
