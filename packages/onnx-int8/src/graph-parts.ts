import { open } from 'node:fs/promises';
import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { encoded, fieldNumbers, microsoft } from './onnx-file.ts';
import type { Span } from './protobuf-file.ts';

/** Bytes of a new file: new ones, or a range of the original. */
export type Part = Uint8Array | Span;

/** Version 4 allows initializers that are not inputs. */
const oldestIrVersion = 4;

/** Returns a node as it is. */
export const copyOf = ({ span }: GraphNode): Part[] => [
  encoded.header(fieldNumbers.node, lengthOf(span)),
  span,
];

/** Writes the model: its fields, with the new graph in place of the old one. */
export async function writeModel(
  path: string,
  document: OnnxDocument,
  graph: readonly Part[],
): Promise<void> {
  const { irVersion, opsets, modelRest } = document;
  const versions = new Map([...opsets, [microsoft, opsets.get(microsoft) ?? 1]]);
  const parts: Part[] = [
    encoded.irVersion(Math.max(irVersion, oldestIrVersion)),
    ...[...versions].map(([domain, version]) => encoded.opset(domain, version)),
    ...modelRest,
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
