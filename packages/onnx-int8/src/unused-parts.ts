import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import type { Product } from './products.ts';

/** What replaced values are computed from, by their names. */
type Reads = ReadonlyMap<string, readonly string[]>;

/** What nothing reads any more after values were replaced: nodes, and initializers by name. */
export interface UnusedParts {
  readonly nodes: ReadonlySet<GraphNode>;
  readonly names: ReadonlySet<string>;
}

/** Returns what converted products read beside their matrices. */
export function readsOf(products: ReadonlyMap<string, Product>): Reads {
  const entries = [...products].map(([output, { input, rectified, bias }]) => {
    return [output, [rectified ?? input, ...(bias === null ? [] : [bias])]] as const;
  });
  return new Map(entries);
}

/** Returns the values from which a graph's outputs are computed, and what each of them is computed from. */
function neededValues({ outputs, producers }: OnnxDocument, replaced: Reads): Map<string, Iterable<string>> {
  const readsOf = (name: string) => replaced.get(name) ?? producers.get(name)?.reads ?? [];
  const needed = new Map([...outputs.keys()].map((name) => [name, readsOf(name)]));
  // The map grows while the loop goes through it.
  for (const reads of needed.values()) {
    for (const name of reads) if (!needed.has(name)) needed.set(name, readsOf(name));
  }
  return needed;
}

export function unusedParts(document: OnnxDocument, replaced: Reads): UnusedParts {
  const needed = neededValues(document, replaced);
  return {
    nodes: new Set(document.nodes.filter(({ outputs }) => !outputs.some((name) => needed.has(name)))),
    names: new Set([...document.initializers.keys()].filter((name) => !needed.has(name))),
  };
}
