import { basename } from 'node:path';
import { placesOf } from '../model-file.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { type Product, quantizedOperators } from './products.ts';

/** The error for a graph that can't be converted. Its message and its remedy are written for the operator. */
export class NotConvertible extends Error {
  override readonly name = 'NotConvertible';
  /** What to do instead. Undefined if nothing helps. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
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
    throw new NotConvertible(
      `it is already quantized (${operators.join(', ')})`,
      'set EMBEDDING_DTYPE (dtype in a file) to q8, or to the name of the graph',
    );
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
function refuseOutside({ file: graph, nodes, initializers }: OnnxDocument): void {
  const constants = nodes.flatMap(({ attributes }) => [...attributes.values()].map(({ tensor }) => tensor));
  const locations = [...initializers.values(), ...constants].map((tensor) => tensor?.elements?.file ?? null);
  const outside = locations.find((file) => file !== null && placesOf(basename(graph), [file]).length === 0);
  if (outside) throw new NotConvertible(`its weights are in "${outside}", outside the graph's directory`);
}
