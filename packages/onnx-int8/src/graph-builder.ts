import type { Attribute, OnnxNode, OnnxTensor } from './onnx-file.ts';

/** Collects the nodes and constants of a graph. Its methods return the names of the values. */
export class GraphBuilder {
  readonly nodes: OnnxNode[] = [];
  readonly initializers: OnnxTensor[] = [];

  /** Adds a node of the standard operator `op` and returns the name of its first output. */
  op(op: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const output = `${op}_${this.nodes.length}`;
    this.nodes.push({ op, inputs, output, attributes });
    return output;
  }

  /** Adds a node whose output is an output of the graph under its own name. */
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
