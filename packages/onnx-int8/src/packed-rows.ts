/** Writes the nodes that leave padding out of an encoder: its rows are tokens, and only attention restores the padding. */
import { namePrefix } from './convertible.ts';
import { maskInput } from './encoder.ts';
import type { MeasuredEncoder } from './measured-encoder.ts';
import { microsoft } from './onnx-file.ts';
import { RowWise } from './row-wise.ts';

/** A score with this added has no share. */
const lowestScore = -1e30;
/** Where the tokens of a batch are. */
type Places = ReturnType<typeof findPlaces>;

export class PackedRows extends RowWise {
  /** The names that the first and the last value get where they are made: with padding, and without. */
  readonly names: ReadonlyMap<string, string>;
  readonly #encoder: MeasuredEncoder;
  #places: Places | undefined;

  constructor(opset: number, factors: ReadonlyMap<string, Float32Array>, encoder: MeasuredEncoder) {
    super(opset, factors, encoder.roundings);
    this.#encoder = encoder;
    this.names = new Map([
      [encoder.first, `${namePrefix}padded`],
      [encoder.last, `${namePrefix}packed`],
    ]);
  }

  /** Adds the nodes that take out the tokens' rows after the first value, and restore the padding after the last. */
  after(name: string): void {
    const made = this.names.get(name);
    if (made === undefined) return;
    if (name !== this.#encoder.first) this.op('Gather', [made, this.#places!.rows], { output: name });
    else {
      this.#places = findPlaces(this, this.#encoder.heads.count);
      const all = this.op('Flatten', [made], { attributes: { axis: { int: 2 } } });
      this.op('Gather', [all, this.#places.tokens], { output: name });
    }
  }

  /** Adds attention. One `Gather` restores the padding and moves the heads, and another one reverses both. */
  attention(reads: readonly string[], output: string): void {
    const { size } = this.#encoder.heads;
    const { heads, back, mask } = this.#places!;
    const split = (name: string) => shaped(this, name, -1, size);
    const [query = '', key = '', value = ''] = reads.map((name) => this.op('Gather', [split(name), heads]));
    const scores = this.op('FusedMatMul', [query, key], {
      domain: microsoft,
      attributes: { transB: { int: 1 }, alpha: { float: size ** -0.5 } },
    });
    const attributes = { axis: { int: -1 } };
    const shares = this.op('Softmax', [this.op('Add', [scores, mask])], { attributes });
    const moved = this.op('Gather', [split(this.op('MatMul', [shares, value])), back]);
    this.op('Flatten', [moved], { output });
  }
}

/** Adds the nodes that find tokens by the mask. The first column of a text counts as one, so that each text has a row. */
function findPlaces(graph: RowWise, headCount: number) {
  const op = graph.op.bind(graph);
  const number = (value: number) => graph.constant(`number_${value}`, BigInt64Array.of(BigInt(value)), []);
  const shape = op('Shape', [maskInput]);
  const columns = op('Gather', [shape, number(1)]);
  const isFirst = op('Not', [graph.cast(op('Range', [number(0), columns, number(1)]), 'bool')]);
  const isToken = op('Or', [graph.cast(maskInput, 'bool'), isFirst]);
  const flat = shaped(graph, graph.cast(isToken, 'int64'), -1);
  // The column of each token, counted through all texts.
  const tokens = shaped(graph, op('NonZero', [flat]), -1);
  // Texts × columns: the row of each token, and in place of padding that of the token before it.
  const rows = op('Reshape', [op('Sub', [op('CumSum', [flat, number(0)]), number(1)]), shape]);
  // Texts × heads × columns: the place of each head among the heads of all tokens.
  const firstOfRow = op('Mul', [shaped(graph, rows, 0, 1, -1), number(headCount)]);
  const offsets = shaped(graph, graph.integers('heads', ...Array(headCount).keys()), -1, 1);
  const heads = op('Add', [firstOfRow, offsets]);
  // Tokens × heads: the place of each head among texts × heads × columns.
  const places = op('Reshape', [
    op('Range', [number(0), op('Size', [heads]), number(1)]),
    op('Shape', [heads]),
  ]);
  const byColumn = op('Transpose', [places], { attributes: { perm: { ints: [0, 2, 1] } } });
  const back = op('Gather', [shaped(graph, byColumn, -1, headCount), tokens]);
  // Texts × 1 × 1 × columns: what hides padding from the softmax.
  const hidden = op('Where', [isToken, graph.scalar('shown', 0), graph.scalar('hidden', lowestScore)]);
  const mask = shaped(graph, hidden, 0, 1, 1, -1);
  return { tokens, rows, heads: graph.cast(heads, 'int32'), back: graph.cast(back, 'int32'), mask };
}

function shaped(graph: RowWise, name: string, ...shape: number[]): string {
  return graph.op('Reshape', [name, graph.integers(`shape_${shape.join('_')}`, ...shape)]);
}
