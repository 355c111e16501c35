import { refuseOutside } from './convertible.ts';
import type { EncoderLayout } from './encoder-layout.ts';
import { openDocument, type StatedOutput } from './onnx-document.ts';
import { bytesIn, type StoredTensor } from './stored-tensor.ts';

export interface ReadableEncoder {
  readonly layout: EncoderLayout;
  readonly outputs: readonly StatedOutput[];
  /** Reports whether an output has the values of the last layer. Exports can have several that are equal. */
  readonly hasLayers: (output: string) => boolean;
  /** Reads a tensor, whose type is a number of ONNX. Throws when a file doesn't have it, or not all of it. */
  readonly tensor: (name: string) => Pick<StoredTensor, 'shape' | 'type'> & { readonly bytes: Buffer };
}

/**
 * Reads the layout that a graph states; undefined if it states none. Throws a RangeError for a file that is not an ONNX
 * graph. Whether the tensors fit together is not checked.
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
  const layout: EncoderLayout = JSON.parse(document.layout);
  const source = (name: string): string | undefined => {
    const node = document.producers.get(name);
    return node?.op === 'Identity' ? node.inputs[0] : name;
  };
  const hasLayers = (name: string) => source(name) === source(layout.output!);
  return { layout, outputs: [...document.outputs.values()], hasLayers, tensor };
}
