import { type Engine, type PreparedText, sampleFor } from '../engine.ts';

/** Few, because a large model takes a second for each. */
const rounds = 2;
/** At least one, so that a text without tokens is not free. */
const overheadBounds = { min: 1, max: 64 };
/** Distinct, so that nothing on the way could remember them. One token or two each. */
const shortTexts = Array.from({ length: 16 }, (_, i) => `w${i}`);
const longTexts = ['some words of a long text '.repeat(8)];

interface Cost {
  readonly tokensPerText: number;
  readonly cpuPerText: number;
}

/**
 * Returns what a text costs besides its tokens, in tokens of this model on this machine: 1 to 64. Compares the processor
 * time of short texts with that of long ones, from the string to the JSON of the vector. Processor time, because other
 * processes change the elapsed time.
 */
export async function measureOverhead<P extends PreparedText>(engine: Engine<P>): Promise<number> {
  const short = await cheapest(engine, shortTexts);
  const long = await cheapest(engine, longTexts);
  const cpuPerToken = (long.cpuPerText - short.cpuPerText) / (long.tokensPerText - short.tokensPerText);
  if (!(cpuPerToken > 0)) return overheadBounds.min;
  const overhead = short.cpuPerText / cpuPerToken - short.tokensPerText;
  return Math.round(Math.min(overheadBounds.max, Math.max(overheadBounds.min, overhead)));
}

/** Returns the lowest of several measurements: other work of this process can only add to one. */
async function cheapest<P extends PreparedText>(engine: Engine<P>, texts: readonly string[]): Promise<Cost> {
  await costOf(engine, texts);
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await costOf(engine, texts));
  return costs.reduce((lowest, cost) => (cost.cpuPerText < lowest.cpuPerText ? cost : lowest));
}

async function costOf<P extends PreparedText>(engine: Engine<P>, texts: readonly string[]): Promise<Cost> {
  const before = process.cpuUsage();
  const prepared = await engine.prepare(
    texts.map((text) => sampleFor(engine.model, text)),
    'document',
  );
  const vectors = await engine.run(prepared);
  for (const vector of vectors) JSON.stringify(Array.from(vector));
  const { user, system } = process.cpuUsage(before);
  const tokens = prepared.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return { tokensPerText: tokens / texts.length, cpuPerText: (user + system) / texts.length };
}
