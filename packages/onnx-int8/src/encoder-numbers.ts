/** Computes the parts of an encoder that have no weights, or only vectors of them. */

/** Normalizes each row. */
export function normalized(
  rows: Float32Array,
  scale: Float32Array,
  bias: Float32Array,
  epsilon: number,
): Float32Array {
  const width = scale.length;
  const result = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at += width) {
    let [sum, squares] = [0, 0];
    for (let i = at; i < at + width; i++) sum += rows[i]!;
    const mean = sum / width;
    for (let i = at; i < at + width; i++) squares += (rows[i]! - mean) ** 2;
    const size = Math.sqrt(squares / width + epsilon);
    for (let i = 0; i < width; i++) result[at + i] = ((rows[at + i]! - mean) / size) * scale[i]! + bias[i]!;
  }
  return result;
}

export const activations = {
  gelu: (x: number) => (x / 2) * (1 + erf(x / Math.SQRT2)),
  gelu_tanh: (x: number) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

/** Abramowitz and Stegun, 7.1.26: the error is at most 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
