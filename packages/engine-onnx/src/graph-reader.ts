import { type GraphFacts, readGraph as readFacts } from '../../onnx-int8/src/index.ts';
import { refusePointer } from './json-file.ts';

/** Reads a graph file without its weights. Throws when it can't be read or is not an ONNX graph. */
export function graphFactsOf(file: string): GraphFacts {
  try {
    return readFacts(file);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    refusePointer(file);
    throw new Error(`${file}: not an ONNX graph, or not all of one`, { cause });
  }
}
