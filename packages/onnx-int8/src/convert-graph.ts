/** Converts a graph file: replaces its products with constant matrices, and copies everything else. */
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ConstantMatrix, idsInput, wordTables } from './constants.ts';
import { NotConvertible, namePrefix, refuseGraph } from './convertible.ts';
import { DataFile } from './data-file.ts';
import { copyOf, type Part, writeModel } from './graph-parts.ts';
import { type OnnxDocument, openDocument } from './onnx-document.ts';
import { type ExternalTensor, elementTypes, encoded, fieldNumbers } from './onnx-file.ts';
import { findProducts, type Product } from './products.ts';
import { denseOf, quantizeMatrix } from './quantize-matrix.ts';
import { type MatrixNames, RowWise } from './row-wise.ts';
import { type ComputeTexts, findFactors, largestIn, normalizedInputs } from './smoothing.ts';
import { bytesOf, type StoredTensor, sizeOf } from './stored-tensor.ts';
import { readsOf, type UnusedParts, unusedParts } from './unused-parts.ts';

export interface GraphConversion {
  readonly from: string;
  /** The new graph. Its tensors are in a file beside it, with `_data` at the end of its name. */
  readonly to: string;
  /** If given, columns that normalization makes large get factors. */
  readonly computeTexts?: ComputeTexts;
  /** Receives the number of bytes processed, and their sum. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ConvertedGraph {
  /** Number of products with int8. */
  readonly products: number;
}

/** Smaller tensors stay in the graph file, where ONNX Runtime reads shapes from them. */
const minExternalBytes = 1_024;

/** Throws a NotConvertible, or a RangeError for a file that is not an ONNX graph. */
export async function convertGraph(conversion: GraphConversion): Promise<ConvertedGraph> {
  const document = openDocument(conversion.from);
  try {
    const found = findProducts(document);
    refuseGraph(document, found);
    const products = new Map(found.map((product) => [product.output, product]));
    const tables = wordTables(document);
    const ofTables = [...tables.keys()].map((output) => [output, [idsInput]] as const);
    const unused = unusedParts(document, new Map([...readsOf(products), ...ofTables]));
    const factors = await factorsFor(document, found, conversion);
    await writeGraph(document, { products, tables, factors, unused }, conversion);
    return { products: found.length };
  } finally {
    document.bytes.close();
  }
}

/** What a new graph has in place of the old one. */
interface Changes {
  /** By their outputs. */
  readonly products: ReadonlyMap<string, Product>;
  /** The tables of words, by the outputs of the nodes that look them up. */
  readonly tables: ReadonlyMap<string, ConstantMatrix>;
  /** The factors of inputs: see `findFactors`. */
  readonly factors: ReadonlyMap<string, Float32Array>;
  readonly unused: UnusedParts;
  /** Further outputs. */
  readonly outputs?: readonly string[];
}

const unchanged: Changes = {
  products: new Map(),
  tables: new Map(),
  factors: new Map(),
  unused: { nodes: new Set(), names: new Set() },
};

/** Returns the factors that the numbers of typical texts ask for. */
async function factorsFor(
  document: OnnxDocument,
  products: readonly Product[],
  { to, computeTexts }: GraphConversion,
): Promise<Changes['factors']> {
  const names = [...normalizedInputs(products, document)];
  if (!computeTexts || names.length === 0) return new Map();
  const graph = `${to}.measured`;
  try {
    const outputs = names.filter((name) => !document.outputs.has(name));
    await writeGraph(document, { ...unchanged, outputs }, { to: graph });
    const sizes = await largestIn(names, computeTexts(graph, names));
    return await findFactors(products, sizes, document.file);
  } finally {
    for (const file of [graph, `${graph}_data`]) await rm(file, { force: true });
  }
}

type Target = Pick<GraphConversion, 'to' | 'onProgress'>;

async function writeGraph(document: OnnxDocument, changes: Changes, target: Target): Promise<void> {
  const data = await DataFile.create(`${target.to}_data`);
  try {
    const converter = new GraphConverter(document, changes, data, target);
    await writeModel(target.to, document, await converter.parts());
  } finally {
    await data.close();
  }
}

class GraphConverter {
  readonly #document: OnnxDocument;
  readonly #changes: Changes;
  readonly #data: DataFile;
  readonly #location: string;
  readonly #onBytes: (bytes: number) => void;
  readonly #tensors: Part[] = [];
  readonly #matrices = new Map<string, MatrixNames>();
  readonly #rows: RowWise;

  constructor(
    document: OnnxDocument,
    changes: Changes,
    data: DataFile,
    { to, onProgress = () => {} }: Target,
  ) {
    this.#document = document;
    this.#changes = changes;
    this.#data = data;
    this.#location = `${basename(to)}_data`;
    this.#rows = new RowWise(document.opsets.get('')!, changes.factors);
    const total = this.#bytesToRead();
    let done = 0;
    onProgress(0, total);
    this.#onBytes = (bytes) => {
      done += bytes;
      onProgress(Math.min(done, total), total);
    };
  }

  /** Writes the tensors into the data file and returns the parts of the graph's message. */
  async parts(): Promise<Part[]> {
    const { nodes, inputs, graphRest } = this.#document;
    const { unused, outputs = [] } = this.#changes;
    const parts: Part[] = [];
    for (const node of nodes) {
      if (unused.nodes.has(node)) continue;
      const [name = ''] = node.outputs;
      if (!(await this.#replace(name))) parts.push(...copyOf(node));
      parts.push(...this.#rows.nodes.splice(0).map(encoded.node));
    }
    for (const [name, tensor] of this.#document.initializers) {
      if (!unused.names.has(name)) await this.#keep(tensor);
    }
    this.#tensors.push(...this.#rows.constants.map(encoded.tensor));
    const declared = [...inputs].filter(([name]) => !unused.names.has(name)).map(([, span]) => span);
    return [...parts, ...this.#tensors, ...declared, ...outputs.map(encoded.output), ...graphRest];
  }

  /** Adds the nodes that compute a value in another way. Returns whether there are any. */
  async #replace(name: string): Promise<boolean> {
    const { products, tables, factors } = this.#changes;
    const product = products.get(name);
    const source = product?.matrix ?? tables.get(name);
    if (!source) return false;
    const matrix = await this.#matrix(source, product?.alpha, product && factors.get(product.input));
    if (product) this.#rows.product(product, matrix);
    else this.#rows.lookUp(matrix, name);
    return true;
  }

  /** Quantizes a matrix, once for all that read it in the same way. Without a factor of products, it is a table. */
  async #matrix(matrix: ConstantMatrix, alpha?: number, factors?: Float32Array): Promise<MatrixNames> {
    const { tensor, isTransposed, rows, columns } = matrix;
    const isTable = alpha === undefined;
    const key = `${tensor.span.from} ${isTransposed} ${alpha} ${factors}`;
    const known = this.#matrices.get(key);
    if (known) return known;
    const source = { graphFile: this.#document.file, factors, onBytes: this.#onBytes, isTable };
    const { values, scales, apart } = await quantizeMatrix(matrix, source);
    const prefix = `${namePrefix}matrix_${this.#matrices.size}`;
    const names: MatrixNames = {
      values: `${prefix}/values`,
      scales: `${prefix}/scales`,
      ...(apart.length > 0 && { apart: { rows: `${prefix}/apart_rows`, values: `${prefix}/apart` } }),
    };
    this.#matrices.set(key, names);
    if (names.apart) {
      const dense = denseOf(apart, columns);
      const few = BigInt64Array.from(dense.rows, BigInt);
      const weights = dense.values.map((value) => value * (alpha ?? 1));
      this.#tensors.push(
        encoded.tensor({ name: names.apart.rows, shape: [few.length], values: few }),
        encoded.tensor({ name: names.apart.values, shape: [few.length, columns], values: weights }),
      );
    }
    const offset = await this.#data.append(new Uint8Array(values.buffer));
    const shape = [rows, columns];
    this.#refer({ name: names.values, shape, type: elementTypes.int8, offset, length: values.length });
    const scaled = scales.map((scale) => scale * (alpha ?? 1));
    const list = { shape: isTable ? [rows, 1] : [columns], values: scaled };
    this.#tensors.push(encoded.tensor({ name: names.scales, ...list }));
    return names;
  }

  async #keep(tensor: StoredTensor): Promise<void> {
    const { elements, span, name, shape, type } = tensor;
    const refuseNaN = (bytes: Uint8Array): void => {
      if (hasNaN(type, bytes))
        throw new NotConvertible(`the tensor "${name}" has a number that is not finite`);
    };
    if (!elements || (elements.file === null && elements.to - elements.from < minExternalBytes)) {
      this.#tensors.push(encoded.header(fieldNumbers.initializer, span.to - span.from), span);
      if (elements) refuseNaN(this.#document.bytes.read(elements));
      this.#onBytes(bytesOf(tensor));
      return;
    }
    if (sizeOf(shape) === 0) {
      // ONNX Runtime reads a length of 0 in another file as the rest of it.
      this.#tensors.push(encoded.emptyTensor({ name, shape, type }));
      return;
    }
    const { file } = this.#document;
    const path = elements.file === null ? file : join(dirname(file), elements.file);
    const onBytes = (bytes: Uint8Array): void => {
      refuseNaN(bytes);
      this.#onBytes(bytes.length);
    };
    this.#refer({ name, shape, type, ...(await this.#data.copy(path, elements, onBytes)) });
  }

  #refer(tensor: Omit<ExternalTensor, 'location'>): void {
    this.#tensors.push(encoded.externalTensor({ ...tensor, location: this.#location }));
  }

  /** Returns how many bytes will be read. A matrix is read twice, not counting the choice of factors. */
  #bytesToRead(): number {
    const { products, tables, unused } = this.#changes;
    const matrices = [...products.values()].map(({ matrix }) => matrix);
    const converted = new Set([...matrices, ...tables.values()].map(({ tensor }) => tensor));
    const kept = [...this.#document.initializers]
      .filter(([name]) => !unused.names.has(name))
      .map(([, tensor]) => tensor);
    const sum = (tensors: Iterable<StoredTensor>) =>
      [...tensors].reduce((bytes, tensor) => bytes + bytesOf(tensor), 0);
    return 2 * sum(converted) + sum(kept);
  }
}

/**
 * Reports whether float32 or float16 elements (little-endian) contain a NaN. The largest number of a row ignores it, so
 * in int8 it could become an ordinary number. An infinity can be part of a mask.
 */
function hasNaN(type: number, bytes: Uint8Array): boolean {
  if (type !== elementTypes.float32 && type !== elementTypes.float16) return false;
  // A copy, because the elements need not be aligned.
  const { buffer } = new Uint8Array(bytes);
  const numbers = type === elementTypes.float16 ? new Float16Array(buffer) : new Float32Array(buffer);
  return numbers.some(Number.isNaN);
}
