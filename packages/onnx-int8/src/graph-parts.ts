import { open } from 'node:fs/promises';
import { type GraphNode, nodeFields } from './graph-node.ts';
import { layoutKey, type OnnxDocument } from './onnx-document.ts';
import { encoded, fieldNumbers, microsoft } from './onnx-file.ts';
import { type FileBytes, fieldsOf, type Span } from './protobuf-file.ts';

/** Bytes of a new file: new ones, or a range of the original. */
export type Part = Uint8Array | Span;

/** Version 4 allows initializers that are not inputs. */
const oldestIrVersion = 4;

/** Returns a node as it is, apart from the names of outputs that `names` changes. */
export function copyOf(
  { span, outputs }: GraphNode,
  bytes: FileBytes,
  names: ReadonlyMap<string, string> = new Map(),
): Part[] {
  if (!outputs.some((name) => names.has(name)))
    return [encoded.header(fieldNumbers.node, lengthOf(span)), span];
  // The node that makes the old name can be named after it, as this one may be.
  const fields = [...fieldsOf(bytes, span)].filter(({ number }) => number !== nodeFields.name);
  const renamed = fields.map(({ number, content, whole }) => {
    const name = number === nodeFields.output && names.get(bytes.read(content).toString());
    return name ? encoded.outputName(name) : whole;
  });
  return [encoded.header(fieldNumbers.node, sizeOf(renamed)), ...renamed];
}

/** Writes the model: its fields with the new graph in place of the old one, and the layout of an encoder. */
export async function writeModel(
  path: string,
  document: OnnxDocument,
  graph: readonly Part[],
  layout?: string,
): Promise<void> {
  const { irVersion, opsets, modelRest } = document;
  const versions = new Map([...opsets, [microsoft, opsets.get(microsoft) ?? 1]]);
  const parts: Part[] = [
    encoded.irVersion(Math.max(irVersion, oldestIrVersion)),
    ...[...versions].map(([domain, version]) => encoded.opset(domain, version)),
    ...modelRest,
    ...(layout === undefined ? [] : [encoded.metadata(layoutKey, layout)]),
    encoded.header(fieldNumbers.graph, sizeOf(graph)),
    ...graph,
  ];
  const file = await open(path, 'wx');
  try {
    for (const part of parts) {
      await file.writeFile(part instanceof Uint8Array ? part : document.bytes.read(part));
    }
  } finally {
    await file.close();
  }
}

const lengthOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.to - part.from);
const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + lengthOf(part), 0);
