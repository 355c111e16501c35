import { basename, isAbsolute, posix } from 'node:path';
import type { OnnxDocument } from './onnx-document.ts';
import { type Product, quantizedOperators } from './products.ts';

/** The error for a graph that can't be converted. */
export class NotConvertible extends Error {
  override readonly name = 'NotConvertible';
  /** Whether the graph is quantized already. */
  readonly isQuantized: boolean;

  constructor(message: string, { isQuantized = false } = {}) {
    super(message);
    this.isQuantized = isQuantized;
  }
}

/** The names of all parts that a conversion adds begin with this. */
export const namePrefix = 'embedgate_int8/';

/** Flatten counts axes from the end since this version. */
const oldestOpset = 11;

/** Throws a NotConvertible for a graph that can't be converted. */
export function refuseGraph(document: OnnxDocument, products: readonly Product[]): void {
  refuseOutside(document);
  refuseTakenNames(document);
  const operators = quantizedOperators(document);
  if (operators.length > 0) {
    throw new NotConvertible(`it is already quantized (${operators.join(', ')})`, { isQuantized: true });
  }
  const opset = document.opsets.get('') ?? 0;
  if (opset < oldestOpset) {
    throw new NotConvertible(
      `it uses ONNX operator set ${opset}, and conversion needs ${oldestOpset} or later`,
    );
  }
  if (products.length === 0) {
    throw new NotConvertible('it has no products with constant float32 matrices that could use int8');
  }
}

/** No part of a graph may have the name of a part that the conversion adds. */
function refuseTakenNames({ nodes, initializers, inputs }: OnnxDocument): void {
  const names = [...nodes.flatMap(({ outputs }) => outputs), ...initializers.keys(), ...inputs.keys()];
  const taken = names.find((name) => name.startsWith(namePrefix));
  if (taken !== undefined) throw new NotConvertible(`it has the name "${taken}", which conversion needs`);
}

/** ONNX Runtime doesn't read weights outside the graph's directory either. */
export function refuseOutside({ file: graph, nodes, initializers }: OnnxDocument): void {
  const constants = nodes.flatMap(({ attributes }) => [...attributes.values()].map(({ tensor }) => tensor));
  const locations = [...initializers.values(), ...constants].map((tensor) => tensor?.elements?.file ?? null);
  const outside = locations.find(
    (file) => file !== null && weightPlaces(basename(graph), [file]).length === 0,
  );
  if (outside) throw new NotConvertible(`its weights are in "${outside}", outside the graph's directory`);
}

/**
 * Converts `locations`, relative to the graph's directory, to paths relative to the model's directory. Omits files
 * outside the model's directory, which ONNX Runtime rejects.
 */
export function weightPlaces(graph: string, locations: readonly string[]): string[] {
  return locations
    .filter((location) => !isAbsolute(location) && !/^[a-z]:|\\/i.test(location))
    .map((location) => posix.join(posix.dirname(graph), location))
    .filter((path) => path !== '..' && !path.startsWith('../'));
}
