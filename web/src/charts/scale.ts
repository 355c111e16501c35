/** Returns round numbers from 0 to at least `most`, about `steps` of them beside 0. None is a fraction. */
export function ticksOf(most: number, steps: number): number[] {
  const raw = Math.max(1, most / steps);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw) ?? raw;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, i) => i * step);
}
