import { refuseOutside } from './convertible.ts';
import type { EncoderLayout } from './encoder-layout.ts';
import { type GraphOutput, openDocument } from './onnx-document.ts';
import { bytesIn, type StoredTensor } from './stored-tensor.ts';

export interface ReadableEncoder {
  readonly layout: EncoderLayout;
  readonly outputs: readonly GraphOutput[];
  /** Reads a tensor, whose type is a number of ONNX. Throws when a file doesn't have it, or not all of it. */
  readonly tensor: (name: string) => Pick<StoredTensor, 'shape' | 'type'> & { readonly bytes: Buffer };
}

/**
 * Reads the layout of a converted encoder; undefined for any other graph. Throws a RangeError for a file that is not an
 * ONNX graph. Whether the tensors fit together is not checked.
 */
export function readEncoder(graphFile: string): ReadableEncoder | undefined {
  const document = openDocument(graphFile);
  document.bytes.close();
  if (document.layout === undefined) return undefined;
  refuseOutside(document);
  const tensor = (name: string) => {
    const found = document.initializers.get(name);
    if (!found) throw new Error(`${graphFile} has no tensor "${name}"`);
    return { shape: found.shape, type: found.type, bytes: bytesIn(found, graphFile) };
  };
  return { layout: JSON.parse(document.layout), outputs: [...document.outputs.values()], tensor };
}
