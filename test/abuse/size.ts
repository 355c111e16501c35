/** The amounts of a run. CI's is short. */
const isShort = process.env.ABUSE_SHORT === '1';

export const seed = Number(process.env.ABUSE_SEED ?? 1);

export function size(full: number, short: number): number {
  return isShort ? short : full;
}
