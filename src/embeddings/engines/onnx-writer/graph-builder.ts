import type { Attribute, OnnxNode, OnnxTensor } from './onnx-file.ts';

/** Collects the nodes and constants of a graph. Values are known by the names that its methods answer. */
export class GraphBuilder {
  readonly nodes: OnnxNode[] = [];
  readonly initializers: OnnxTensor[] = [];

  /** Adds a node of the standard operator `op`; answers its first output. */
  op(op: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const output = `${op}_${this.nodes.length}`;
    this.nodes.push({ op, inputs, output, attributes });
    return output;
  }

  /** Adds a node of an operator with `count` outputs; answers them. */
  outputsOf(op: string, inputs: readonly string[], count: number): string[] {
    const [output = '', ...otherOutputs] = Array.from(
      { length: count },
      (_, i) => `${op}_${this.nodes.length}_${i}`,
    );
    this.nodes.push({ op, inputs, output, otherOutputs, attributes: {} });
    return [output, ...otherOutputs];
  }

  /** Adds a node whose output has a name of its own: an output of the graph. */
  output(name: string, op: string, inputs: readonly string[]): void {
    this.nodes.push({ op, inputs, output: name, attributes: {} });
  }

  tensor(values: Float32Array, shape: readonly number[]): string {
    return this.#constant(values, shape);
  }

  scalar(value: number): string {
    return this.#constant(Float32Array.of(value), []);
  }

  /** A vector of int64, as axes and shapes are given. */
  integers(...values: number[]): string {
    return this.#constant(BigInt64Array.from(values, BigInt), [values.length]);
  }

  /** An int64 without dimensions. */
  index(value: number): string {
    return this.#constant(BigInt64Array.of(BigInt(value)), []);
  }

  #constant(values: Float32Array | BigInt64Array, shape: readonly number[]): string {
    const name = `constant_${this.initializers.length}`;
    this.initializers.push({ name, shape, values });
    return name;
  }
}
