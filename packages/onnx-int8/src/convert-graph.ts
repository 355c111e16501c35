/** Converts a graph file: replaces its products with constant matrices, and copies everything else. */
import { basename, dirname, join } from 'node:path';
import { NotConvertible, namePrefix, refuseGraph } from './convertible.ts';
import { DataFile } from './data-file.ts';
import { type Part, writeModel } from './graph-parts.ts';
import { type OnnxDocument, openDocument } from './onnx-document.ts';
import { type ExternalTensor, elementTypes, encoded, fieldNumbers } from './onnx-file.ts';
import { findProducts, type Product } from './products.ts';
import { quantizeMatrix } from './quantize-matrix.ts';
import { type MatrixNames, RowWise } from './row-wise.ts';
import { findFactors } from './smoothing.ts';
import { bytesOf, type StoredTensor, sizeOf } from './stored-tensor.ts';
import { unusedParts } from './unused-parts.ts';

export interface GraphConversion {
  readonly from: string;
  /** The new graph. Its tensors are in a file beside it, with `_data` at the end of its name. */
  readonly to: string;
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
    const products = findProducts(document);
    refuseGraph(document, products);
    const data = await DataFile.create(`${conversion.to}_data`);
    try {
      const graph = await new GraphConverter(document, products, data, conversion).parts();
      await writeModel(conversion.to, document, graph);
    } finally {
      await data.close();
    }
    return { products: products.length };
  } finally {
    document.bytes.close();
  }
}

class GraphConverter {
  readonly #document: OnnxDocument;
  readonly #products: readonly Product[];
  readonly #data: DataFile;
  readonly #location: string;
  readonly #onBytes: (bytes: number) => void;
  readonly #tensors: Part[] = [];
  readonly #matrices = new Map<string, MatrixNames>();
  readonly #unused: ReturnType<typeof unusedParts>;

  constructor(
    document: OnnxDocument,
    products: readonly Product[],
    data: DataFile,
    { to, onProgress = () => {} }: GraphConversion,
  ) {
    this.#document = document;
    this.#products = products;
    this.#data = data;
    this.#location = `${basename(to)}_data`;
    this.#unused = unusedParts(document, products);
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
    const { nodes, inputs, graphRest, opsets } = this.#document;
    const factors = await findFactors(this.#document, this.#products);
    const rowWise = new RowWise(opsets.get('')!, factors);
    const byNode = new Map(this.#products.map((product) => [product.node, product]));
    const unused = this.#unused;
    const parts: Part[] = [];
    for (const node of nodes) {
      const product = byNode.get(node);
      if (product) {
        const matrix = await this.#matrix(product, factors.get(product.input));
        for (const made of rowWise.nodesOf(product, matrix)) parts.push(encoded.node(made));
      } else if (!unused.nodes.has(node)) {
        parts.push(encoded.header(fieldNumbers.node, node.span.to - node.span.from), node.span);
      }
    }
    for (const [name, tensor] of this.#document.initializers) {
      if (!unused.names.has(name)) await this.#keep(tensor);
    }
    this.#tensors.push(...rowWise.constants.map(encoded.tensor));
    const declared = [...inputs].filter(([name]) => !unused.names.has(name)).map(([, span]) => span);
    return [...parts, ...this.#tensors, ...declared, ...graphRest];
  }

  /** Quantizes the matrix of a product, once for all products that read it in the same way. */
  async #matrix({ matrix, alpha }: Product, factors: Float32Array | undefined): Promise<MatrixNames> {
    const { tensor, isTransposed, rows, columns } = matrix;
    const key = `${tensor.span.from} ${isTransposed} ${alpha} ${factors}`;
    const known = this.#matrices.get(key);
    if (known) return known;
    const { values, scales } = await quantizeMatrix(matrix, {
      graphFile: this.#document.file,
      factors,
      onBytes: this.#onBytes,
    });
    const prefix = `${namePrefix}matrix_${this.#matrices.size}`;
    const names = { values: `${prefix}/values`, scales: `${prefix}/scales` };
    this.#matrices.set(key, names);
    const offset = await this.#data.append(new Uint8Array(values.buffer));
    const shape = [rows, columns];
    this.#refer({ name: names.values, shape, type: elementTypes.int8, offset, length: values.length });
    const scaled = scales.map((scale) => scale * alpha);
    this.#tensors.push(encoded.tensor({ name: names.scales, shape: [columns], values: scaled }));
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
    const converted = new Set(this.#products.map(({ matrix }) => matrix.tensor));
    const kept = [...this.#document.initializers]
      .filter(([name]) => !this.#unused.names.has(name))
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
