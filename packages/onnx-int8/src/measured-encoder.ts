/** Finds how an encoder's values are rounded, from those of typical texts. */
import { type Heads, isUsual, type Values } from './attention.ts';
import type { Encoder } from './encoder.ts';
import { fitting, type LayoutClaim } from './find-layout.ts';
import type { Rounding } from './row-wise.ts';
import { lowestActivated, signedSteps } from './steps.ts';

/** Computes typical texts with a graph, each alone, and returns the values of the named outputs for each. */
export type ComputeTexts = (graph: string, names: readonly string[]) => AsyncIterable<Values>;

export interface MeasuredEncoder extends Encoder {
  readonly heads: Heads;
  /** How inputs are rounded that don't have a scale for each row. */
  readonly roundings: ReadonlyMap<string, Rounding>;
  /** The claims from which its layout follows; none if it computes anything else. */
  readonly claims: readonly LayoutClaim[];
}

/** How many times the median row the largest one can be, if all rows have one scale. */
const maxSpread = 4;

/** Returns the names of the values that are measured. */
export function measuredNames({ attentions, inputs }: Encoder, claims: readonly LayoutClaim[]): string[] {
  const claimed = claims.flatMap(({ value, reads }) => [value, ...reads]);
  const inner = [...attentions].flatMap(([context, { reads, shares }]) => [context, ...reads, shares]);
  return [...new Set([...inputs, ...inner, ...claimed])];
}

/** Measures an encoder. Returns undefined if its attention is not the usual one. */
export async function measured(
  encoder: Encoder,
  proposed: readonly LayoutClaim[],
  factors: ReadonlyMap<string, Float32Array>,
  texts: AsyncIterable<Values>,
): Promise<MeasuredEncoder | undefined> {
  const sizes = new Map([...encoder.inputs].map((name) => [name, new Sizes()]));
  let heads: Heads | undefined;
  let claims = proposed;
  for await (const values of texts) {
    for (const [context, attention] of encoder.attentions) {
      const [, count = 0, tokens] = values[attention.shares]!.dims;
      const [, columns, width = 0] = values[context]!.dims;
      heads ??= { count, size: width / count };
      if (columns !== tokens || !isUsual(attention, context, values, heads)) return undefined;
    }
    claims = fitting(claims, values);
    for (const [name, size] of sizes) size.add(values[name]!, factors.get(name));
  }
  const roundings = new Map<string, Rounding>();
  for (const [name, { rounding }] of sizes) if (rounding) roundings.set(name, rounding);
  return heads && { ...encoder, heads, roundings, claims };
}

/** The sizes of an input's rows, and its smallest number. */
class Sizes {
  readonly #rows: number[] = [];
  #smallest = 0;

  add({ dims, data }: Values[string], factors: Float32Array | undefined): void {
    const numbers = data as Float32Array;
    const width = dims.at(-1)!;
    for (let at = 0; at < numbers.length; at += width) {
      let largest = 0;
      for (let i = 0; i < width; i++) {
        const value = numbers[at + i]! / (factors?.[i] ?? 1);
        // Math.max keeps a NaN.
        largest = Math.max(largest, Math.abs(value));
        this.#smallest = Math.min(this.#smallest, value);
      }
      this.#rows.push(largest);
    }
  }

  get rounding(): Rounding | undefined {
    const rows = this.#rows.toSorted((a, b) => a - b);
    const largest = rows.at(-1) ?? 0;
    // Nothing else has large numbers, and none below a GELU's minimum.
    if (largest > 1 && this.#smallest >= lowestActivated) return 'activated';
    const isEven = largest > 0 && largest <= maxSpread * rows[rows.length >> 1]!;
    return isEven ? roundedUp(largest / signedSteps) : undefined;
  }
}

/** Rounds a number up to 8 bits of mantissa, because its last digits can differ between kinds of CPU. */
function roundedUp(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0]! + 0x7fff) & 0xffff8000;
  return new Float32Array(bits.buffer)[0]!;
}
