/** Computes an encoder by its layout alone, in the simplest way. */
import type { EncoderLayout } from '../src/encoder-layout.ts';
import { elementTypes, type ReadableEncoder } from '../src/index.ts';

type Row = readonly number[];
type Layer = EncoderLayout['layers'][number];

/** Returns the vectors of a text's tokens. */
export function evaluate({ layout, tensor }: ReadableEncoder, ids: readonly number[]): Row[] {
  const numbers = (name: string): Row => {
    const { type, bytes } = tensor(name);
    const { buffer } = new Uint8Array(bytes);
    return [...(type === elementTypes.int8 ? new Int8Array(buffer) : new Float32Array(buffer))];
  };

  const product = (rows: readonly Row[], part: Layer['up']): Row[] => {
    const [values, scales, bias] = [numbers(part.values), numbers(part.scales!), numbers(part.bias!)];
    const factors = part.factors === null ? null : numbers(part.factors);
    return rows.map((row) => {
      const input = factors ? row.map((value, i) => value * factors[i]!) : row;
      const [scale, zero] = roundingOf(input, part.rounding);
      const rounded = input.map((value) => {
        return Math.min(255, Math.max(0, Math.round(value / scale) + zero)) - zero;
      });
      return scales.map((columnScale, column) => {
        const sum = rounded.reduce((sum, value, i) => sum + value * values[i * scales.length + column]!, 0);
        return sum * scale * columnScale + bias[column]!;
      });
    });
  };

  const normalized = (rows: readonly Row[], { epsilon, ...norm }: NonNullable<Layer['norm']>): Row[] => {
    const [scale, bias] = [numbers(norm.scale), numbers(norm.bias!)];
    return rows.map((row) => {
      const mean = row.reduce((a, b) => a + b) / row.length;
      const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
      const size = Math.sqrt(variance + epsilon);
      return row.map((value, i) => ((value - mean) / size) * scale[i]! + bias[i]!);
    });
  };

  const [words, wordScales] = [numbers(layout.words.values), numbers(layout.words.scales!)];
  const [positions, types] = [
    numbers(layout.positions!),
    layout.types === null ? null : numbers(layout.types),
  ];
  const width = words.length / wordScales.length;
  const embedded = ids.map((id, position) =>
    Array.from({ length: width }, (_, i) => {
      const placed = positions[(position + layout.positionOffset) * width + i]!;
      return words[id * width + i]! * wordScales[id]! + placed + (types?.[i] ?? 0);
    }),
  );
  let rows = normalized(embedded, layout.wordsNorm!);
  if (layout.widening) rows = product(rows, layout.widening);
  const activate = layout.activation === 'gelu' ? gelu : geluByTanh;
  for (const layer of layout.layers) {
    const [queries, keys, values] = [layer.queries, layer.keys, layer.values].map((part) =>
      product(rows, part),
    );
    const context = product(attended(queries!, keys!, values!, layout.headSize), layer.context);
    const middle = normalized(sum(context, rows), layer.contextNorm!);
    const active = product(middle, layer.up).map((row) => row.map(activate));
    rows = normalized(sum(product(active, layer.down), middle), layer.norm!);
  }
  return rows;
}

function roundingOf(row: Row, rounding: Layer['up']['rounding']): [scale: number, zero: number] {
  if (rounding === 'activated') return [Math.max(0.17005 / 16, Math.max(...row) / 239), 16];
  return [rounding === 'rows' ? Math.max(...row.map(Math.abs)) / 127 : rounding, 128];
}

function attended(queries: Row[], keys: Row[], values: Row[], headSize: number): Row[] {
  return queries.map((query) =>
    query.map((_, column) => {
      const first = column - (column % headSize);
      const scores = keys.map((key) => {
        const ofHead = query.slice(first, first + headSize);
        return ofHead.reduce((sum, value, i) => sum + value * key[first + i]!, 0) / Math.sqrt(headSize);
      });
      const shares = scores.map((score) => Math.exp(score));
      const weighted = shares.reduce((sum, share, i) => sum + share * values[i]![column]!, 0);
      return weighted / shares.reduce((a, b) => a + b);
    }),
  );
}

function sum(a: readonly Row[], b: readonly Row[]): Row[] {
  return a.map((row, at) => row.map((value, i) => value + b[at]![i]!));
}

/** Adds the series of the error function, which is exact enough for the sizes of these graphs. */
function gelu(x: number): number {
  const z = x / Math.SQRT2;
  let [term, sum] = [z, z];
  for (let n = 1; n < 200; n++) {
    term *= -(z ** 2) / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(z) > 4 ? Math.max(0, x) : (x / 2) * (1 + (2 / Math.sqrt(Math.PI)) * sum);
}

function geluByTanh(x: number): number {
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}
