/** Finds the constant matrices of a graph, also behind operators that only reorder or widen them. */

import type { OnnxDocument } from './onnx-document.ts';
import { elementTypes } from './onnx-file.ts';
import type { Matrix } from './safetensors.ts';
import { elementBytes, type StoredTensor, sizeOf } from './stored-tensor.ts';

/** A constant matrix as a product reads it. */
export interface ConstantMatrix extends Matrix {
  readonly tensor: StoredTensor;
}

type Found = Pick<ConstantMatrix, 'tensor' | 'isTransposed'> & { readonly type: number };

// Longer chains don't occur, and a malformed graph could have a cycle.
const maxSteps = 8;
/** Longer lines are not converted, because a line of a matrix is read at once. */
const maxLineBytes = 1 << 30;
export const idsInput = 'input_ids';

export class Constants {
  readonly #document: OnnxDocument;

  constructor(document: OnnxDocument) {
    this.#document = document;
  }

  /** Returns the constant float32 matrix with this name, or undefined if there is none. */
  matrix(name: string): ConstantMatrix | undefined {
    const found = this.#find(name, maxSteps);
    if (!found || found.type !== elementTypes.float32) return undefined;
    const { tensor, isTransposed } = found;
    const [first, second] = tensor.shape;
    if (tensor.shape.length !== 2 || !first || !second || !isReadable(tensor)) return undefined;
    const [rows, columns] = isTransposed ? [second, first] : [first, second];
    return { tensor, rows, columns, isTransposed };
  }

  #find(name: string, steps: number): Found | undefined {
    const tensor = this.#document.initializers.get(name);
    if (tensor) {
      // An initializer that is also an input can be replaced by a caller, except in files of the oldest version.
      const isInput = this.#document.inputs.has(name) && this.#document.irVersion > 3;
      return isInput ? undefined : { tensor, isTransposed: false, type: tensor.type };
    }
    const node = this.#document.producers.get(name);
    if (node?.domain !== '' || steps === 0) return undefined;
    const value = node.attributes.get('value')?.tensor;
    if (node.op === 'Constant') return value && { tensor: value, isTransposed: false, type: value.type };
    const found = this.#find(node.inputs[0] ?? '', steps - 1);
    if (!found) return undefined;
    if (node.op === 'Identity') return found;
    if (node.op === 'Cast') return cast(found, node.attributes.get('to')?.int);
    if (node.op !== 'Transpose') return undefined;
    const order = node.attributes.get('perm')?.ints ?? [1, 0];
    if (order.length !== 2) return undefined;
    return { ...found, isTransposed: order[0] === 1 ? !found.isTransposed : found.isTransposed };
  }
}

/** Other casts than from float16 to float32 change numbers. */
function cast(found: Found, to: number | undefined): Found | undefined {
  const isWidening = found.type === elementTypes.float16 && to === elementTypes.float32;
  return to === found.type || isWidening ? { ...found, type: to } : undefined;
}

function isReadable({ type, elements, shape }: StoredTensor): boolean {
  if (!elements || (type !== elementTypes.float32 && type !== elementTypes.float16)) return false;
  const bytes = elementBytes[type]!;
  const [, width = 0] = shape;
  return elements.to - elements.from === sizeOf(shape) * bytes && width * bytes <= maxLineBytes;
}

/** Returns the tables that words are looked up in, by the output of the node that does it. */
export function wordTables(document: OnnxDocument): Map<string, ConstantMatrix> {
  const constants = new Constants(document);
  const tables = new Map<string, ConstantMatrix>();
  for (const { op, inputs, outputs, attributes } of document.nodes) {
    const isLookUp = op === 'Gather' && inputs[1] === idsInput && !attributes.get('axis')?.int;
    const table = isLookUp ? constants.matrix(inputs[0]!) : undefined;
    if (table && !table.isTransposed) tables.set(outputs[0]!, table);
  }
  return tables;
}
