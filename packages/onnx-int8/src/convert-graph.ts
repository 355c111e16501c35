/** Converts a graph file: replaces its products with constant matrices, and copies everything else. */
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ConstantMatrix } from './constants.ts';
import { NotConvertible, namePrefix, refuseGraph } from './convertible.ts';
import { DataFile } from './data-file.ts';
import { type Encoder, findEncoder, initializerOf, readsOfTables, tablesOf } from './encoder.ts';
import type { ProductLayout } from './encoder-layout.ts';
import { LayoutFinder, lanes } from './find-layout.ts';
import { copyOf, type Part, writeModel } from './graph-parts.ts';
import { type ComputeTexts, type MeasuredEncoder, measured, measuredNames } from './measured-encoder.ts';
import { type OnnxDocument, openDocument } from './onnx-document.ts';
import { type ExternalTensor, elementTypes, encoded, fieldNumbers } from './onnx-file.ts';
import { PackedRows } from './packed-rows.ts';
import { findProducts, type Product } from './products.ts';
import { denseOf, quantizeMatrix } from './quantize-matrix.ts';
import { type MatrixNames, RowWise } from './row-wise.ts';
import { findFactors, largestIn, normalizedInputs } from './smoothing.ts';
import { bytesOf, type StoredTensor, sizeOf } from './stored-tensor.ts';
import { readsOf, type UnusedParts, unusedParts } from './unused-parts.ts';

export interface GraphConversion {
  readonly from: string;
  /** The new graph. Its tensors are in a file beside it, with `_data` at the end of its name. */
  readonly to: string;
  /** If given, large columns get factors, and encoders are written without padding and with constant scales. */
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

/** The number of a graph's field that states the shape of a value. */
const valueInfo = 13;

/** Throws a NotConvertible, or a RangeError for a file that is not an ONNX graph. */
export async function convertGraph(conversion: GraphConversion): Promise<ConvertedGraph> {
  const document = openDocument(conversion.from);
  try {
    const found = findProducts(document);
    refuseGraph(document, found);
    const products = new Map(found.map((product) => [product.output, product]));
    const tables = tablesOf(document);
    const reads = new Map([...readsOf(products), ...readsOfTables(tables)]);
    const usual = { products, tables, factors: new Map(), unused: unusedParts(document, reads) };
    await writeGraph(document, await asMeasured(document, usual, conversion), conversion);
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
  readonly tables: Encoder['tables'];
  /** The factors of inputs: see `findFactors`. */
  readonly factors: ReadonlyMap<string, Float32Array>;
  readonly unused: UnusedParts;
  /** The encoder that is written without padding, if there is one. */
  readonly encoder?: MeasuredEncoder;
  /** Further outputs. */
  readonly outputs?: readonly string[];
}

const unchanged: Changes = {
  products: new Map(),
  tables: new Map(),
  factors: new Map(),
  unused: { nodes: new Set(), names: new Set() },
};

/** Returns the changes that the numbers of typical texts allow: factors, and an encoder if it is recognized. */
async function asMeasured(
  document: OnnxDocument,
  usual: Changes,
  { to, computeTexts }: GraphConversion,
): Promise<Changes> {
  if (!computeTexts) return usual;
  const { tables } = usual;
  const products = [...usual.products.values()];
  const normalized = normalizedInputs(products, document);
  const found = findEncoder(document, products, tables);
  const claims = found ? new LayoutFinder(document, found).find() : [];
  const names = [...new Set([...normalized, ...(found ? measuredNames(found, claims) : [])])];
  if (names.length === 0) return usual;
  const graph = `${to}.measured`;
  try {
    const outputs = names.filter((name) => !document.outputs.has(name));
    await writeGraph(document, { ...unchanged, outputs }, { to: graph });
    const sizes = await largestIn(normalized, computeTexts(graph, [...normalized]));
    const factors = await findFactors(products, sizes, document.file);
    const encoder = found && (await measured(found, claims, factors, computeTexts(graph, names)));
    if (!encoder) return { ...usual, factors };
    const unused = unusedParts(document, encoder.reads);
    return { products: encoder.products, tables, factors, unused, encoder };
  } finally {
    for (const file of [graph, `${graph}_data`]) await rm(file, { force: true });
  }
}

type Target = Pick<GraphConversion, 'to' | 'onProgress'>;

async function writeGraph(document: OnnxDocument, changes: Changes, target: Target): Promise<void> {
  const data = await DataFile.create(`${target.to}_data`);
  try {
    const converter = new GraphConverter(document, changes, data, target);
    const graph = await converter.parts();
    await writeModel(target.to, document, graph, converter.layout());
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
  /** The matrices of products and tables, by their outputs. */
  readonly #named = new Map<string, MatrixNames>();
  readonly #packed: PackedRows | undefined;
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
    const { factors, encoder } = changes;
    const opset = document.opsets.get('')!;
    this.#packed = encoder && new PackedRows(opset, factors, encoder);
    this.#rows = this.#packed ?? new RowWise(opset, factors);
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
    const { nodes, inputs, graphRest, bytes } = this.#document;
    const { unused, encoder, outputs = [] } = this.#changes;
    const parts: Part[] = [];
    for (const node of nodes) {
      if (unused.nodes.has(node)) continue;
      const [name = ''] = node.outputs;
      if (!(await this.#replace(name))) parts.push(...copyOf(node, bytes, this.#packed?.names));
      this.#packed?.after(name);
      parts.push(...this.#rows.nodes.splice(0).map(encoded.node));
    }
    for (const [name, tensor] of this.#document.initializers) {
      if (!unused.names.has(name)) await this.#keep(tensor);
    }
    this.#tensors.push(...this.#rows.constants.map(encoded.tensor));
    const declared = [...inputs].filter(([name]) => !unused.names.has(name)).map(([, span]) => span);
    // Without padding, values have other shapes than the original states.
    const rest = encoder ? graphRest.filter(({ from }) => bytes.at(from) >> 3 !== valueInfo) : graphRest;
    return [...parts, ...this.#tensors, ...declared, ...outputs.map(encoded.output), ...rest];
  }

  /** Returns the layout of the encoder that was written, as JSON; undefined if it has none. */
  layout(): string | undefined {
    const { encoder } = this.#changes;
    if (!encoder || encoder.claims.length === 0 || encoder.heads.size % lanes !== 0) return undefined;
    const [words = ''] = encoder.tables.keys();
    const { count: heads, size: headSize } = encoder.heads;
    const states = encoder.claims.map((claim) => claim.states);
    const layout = Object.assign({ heads, headSize, words: this.#named.get(words) }, ...states);
    const tensorsOf = ({ output, input, bias }: Product): ProductLayout => ({
      ...this.#named.get(output)!,
      bias: initializerOf(bias!, this.#document)!.name,
      ...this.#rows.inputs.get(input)!,
    });
    return JSON.stringify(layout, (_, part) => (part?.matrix ? tensorsOf(part) : part));
  }

  /** Adds the nodes that compute a value in another way. Returns whether there are any. */
  async #replace(name: string): Promise<boolean> {
    const { products, tables, factors, encoder } = this.#changes;
    const output = this.#packed?.names.get(name) ?? name;
    const [product, attention] = [products.get(name), encoder?.attentions.get(name)];
    const source = product?.matrix ?? tables.get(name);
    const inputFactors = product && factors.get(product.input);
    const matrix = source && (await this.#matrix(source, product?.alpha, inputFactors));
    if (matrix) this.#named.set(name, matrix);
    if (attention) this.#packed!.attention(attention.reads, output);
    else if (matrix && product) this.#rows.product({ ...product, output }, matrix);
    else if (matrix) this.#rows.lookUp(matrix, output);
    return Boolean(matrix || attention);
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
