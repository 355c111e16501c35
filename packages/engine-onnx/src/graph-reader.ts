import { FileBytes, type GraphFacts, readGraph as readFacts } from '../../onnx-int8/src/index.ts';
import { refusePointer } from './json-file.ts';

/** A pointer is shorter. */
const pointerBytes = 1_024;

/** Reads a graph file without its weights. Throws when it can't be read or is not an ONNX graph. */
export function graphFactsOf(file: string): GraphFacts {
  try {
    return readFacts(file);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const bytes = new FileBytes(file);
    const to = Math.min(bytes.size, pointerBytes);
    const beginning = bytes.read({ from: 0, to }).toString();
    bytes.close();
    refusePointer(file, beginning);
    throw new Error(`${file}: not an ONNX graph, or not all of one`, { cause });
  }
}
