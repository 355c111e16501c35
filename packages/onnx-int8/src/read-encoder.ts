import { refuseOutside } from './convertible.ts';
import type { EncoderLayout } from './encoder-layout.ts';
import { openDocument } from './onnx-document.ts';
import { bytesIn } from './stored-tensor.ts';

/** A tensor of a graph, with its little-endian elements in row-major order. */
export interface TensorBytes {
  readonly shape: readonly number[];
  /** The number of the element type in ONNX. */
  readonly type: number;
  readonly bytes: Buffer;
}

export interface ReadableEncoder {
  readonly layout: EncoderLayout;
  /** Reads a tensor. Throws when the graph doesn't have it, or its file not all of it. */
  readonly tensor: (name: string) => TensorBytes;
}

/**
 * Reads the layout of a converted encoder; undefined for any other graph. Throws a RangeError when the file is not an
 * ONNX graph, and a SyntaxError when the layout is not JSON. Whether the tensors fit together is not checked.
 */
export function readEncoder(graphFile: string): ReadableEncoder | undefined {
  const document = openDocument(graphFile);
  document.bytes.close();
  if (document.statement === undefined) return undefined;
  refuseOutside(document);
  const tensor = (name: string): TensorBytes => {
    const found = document.initializers.get(name);
    if (!found) throw new Error(`${graphFile} has no tensor "${name}"`);
    return { shape: found.shape, type: found.type, bytes: bytesIn(found, graphFile) };
  };
  return { layout: JSON.parse(document.statement), tensor };
}
