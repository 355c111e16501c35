/** BERT's forward pass in plain float64 arithmetic, one text at a time: what the engine's vectors are compared with. */
import { layerNormEpsilon } from './bert-graph.ts';
import type { BertLayer, BertWeights, Dense, Norm } from './bert-weights.ts';

type Vector = number[];

/** The vectors of the last layer, one a token. With `decoder`, a token sees those before it only. */
export function lastHiddenState(
  weights: BertWeights,
  ids: readonly number[],
  { decoder = false, types = [] as readonly number[] } = {},
): Vector[] {
  const { width, heads } = weights.shape;
  const row = (table: Float32Array, index: number) => [...table.subarray(index * width, (index + 1) * width)];
  const embedded = ids.map((id, position) =>
    norm(
      sum(
        sum(row(weights.words, id), row(weights.positions, position)),
        row(weights.tokenTypes, types[position] ?? 0),
      ),
      weights.embeddingNorm,
    ),
  );
  return weights.layers.reduce((tokens, layer) => transform(layer, tokens, heads, decoder), embedded);
}

/** The score that a cross-encoder gives to a pair. */
export function scoreOf({ pooler, classifier }: BertWeights, [first]: readonly Vector[]): number {
  return apply(classifier, apply(pooler, first!).map(Math.tanh))[0]!;
}

/** The text's unit vector. */
export function pool(tokens: readonly Vector[], mode: 'mean' | 'cls' | 'last' | 'max'): Vector {
  const column = (i: number) => tokens.map((token) => token[i]!);
  const pooled = {
    mean: () => tokens[0]!.map((_, i) => column(i).reduce((a, b) => a + b, 0) / tokens.length),
    max: () => tokens[0]!.map((_, i) => Math.max(...column(i))),
    cls: () => tokens[0]!,
    last: () => tokens.at(-1)!,
  }[mode]();
  const length = Math.hypot(...pooled);
  return pooled.map((x) => x / length);
}

/** Greedy: at each place the longest piece; small letters, and every mark a word of its own. */
export function wordPieceIds(pieces: readonly string[], text: string): number[] {
  const words = text.toLowerCase().match(/[a-z0-9]+|[^\sa-z0-9]/g) ?? [];
  const idOf = (piece: string) => pieces.indexOf(piece);
  const content = words.flatMap((word) => {
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      const piece = () => (start > 0 ? '##' : '') + word.slice(start, end);
      while (end > start && idOf(piece()) < 0) end--;
      if (end === start) return [idOf('[UNK]')];
      ids.push(idOf(piece()));
      start = end;
    }
    return ids;
  });
  return [idOf('[CLS]'), ...content, idOf('[SEP]')];
}

function transform(layer: BertLayer, tokens: readonly Vector[], heads: number, decoder: boolean): Vector[] {
  const [queries, keys, values] = [layer.query, layer.key, layer.value].map((dense) =>
    tokens.map((token) => apply(dense, token)),
  ) as [Vector[], Vector[], Vector[]];
  const headWidth = queries[0]!.length / heads;
  return tokens.map((token, t) => {
    const seen = decoder ? t + 1 : tokens.length;
    const context: Vector = [];
    for (let head = 0; head < heads; head++) {
      const slice = (vector: Vector) => vector.slice(head * headWidth, (head + 1) * headWidth);
      const scores = keys
        .slice(0, seen)
        .map((key) => dot(slice(queries[t]!), slice(key)) / Math.sqrt(headWidth));
      const powers = scores.map(Math.exp);
      const total = powers.reduce((a, b) => a + b, 0);
      for (let i = 0; i < headWidth; i++) {
        context.push(powers.reduce((at, power, u) => at + (power / total) * slice(values[u]!)[i]!, 0));
      }
    }
    const middle = norm(sum(apply(layer.attended, context), token), layer.attentionNorm);
    const inner = apply(layer.inner, middle).map((x) => (x * (1 + erf(x / Math.SQRT2))) / 2);
    return norm(sum(apply(layer.outer, inner), middle), layer.outputNorm);
  });
}

function apply({ kernel, bias, rows, columns }: Dense, input: Vector): Vector {
  return Array.from({ length: columns }, (_, column) => {
    let value = bias[column]!;
    for (let i = 0; i < rows; i++) value += input[i]! * kernel[i * columns + column]!;
    return value;
  });
}

function norm(vector: Vector, { scale, offset }: Norm): Vector {
  const mean = vector.reduce((a, b) => a + b, 0) / vector.length;
  const variance = vector.reduce((a, b) => a + (b - mean) ** 2, 0) / vector.length;
  return vector.map((x, i) => ((x - mean) / Math.sqrt(variance + layerNormEpsilon)) * scale[i]! + offset[i]!);
}

const sum = (a: Vector, b: Vector): Vector => a.map((x, i) => x + b[i]!);
const dot = (a: Vector, b: Vector): number => a.reduce((at, x, i) => at + x * b[i]!, 0);

/** To 1.5e-7: Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592].reduce(
    (at, coefficient) => (at + coefficient) * t,
    0,
  );
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}
