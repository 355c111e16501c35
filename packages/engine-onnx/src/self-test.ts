/** The checks that a model must pass before its first vector is served. */

import {
  closeness,
  cosine,
  type Engine,
  type InputType,
  type PreparedText,
  sampleFor,
  selfTestTextsOf,
} from '../../engine/src/index.ts';
import { messageOf } from '../../small/src/errors.ts';
import { fieldsOf } from '../../small/src/json.ts';

/** Half precision gives 0.999999 between two runs. Interference from other texts or padding gives much less. */
const minCosine = 0.9999;
/** For scores: half precision differs by 0.001 of a score of 8. */
const minScoreCloseness = 0.99;
const unitTolerance = 1e-3;

/** Computes two texts, alone and together. Throws one line that names the graph `file` when a vector is wrong. */
export async function selfTest<P extends PreparedText>(engine: Engine<P>, file: string): Promise<void> {
  const [texts] = await Promise.all([
    engine.prepare(selfTestTextsOf(engine.model), 'document'),
    ...['query', 'document', ...(engine.model.promptedTypes ?? [])].map((inputType) =>
      refuseNarrowLimit(engine, inputType),
    ),
  ]);
  const compute = (batch: readonly P[]) =>
    engine.run(batch).catch((reason) => {
      throw new Error(`${file}: the self-test failed: ${reasonOf(reason)}`, { cause: reason });
    });
  const [together, again] = await Promise.all([compute(texts), compute(texts)]);
  const alone: Float32Array[] = [];
  // One after the other, because a text that is alone can have a session of its own.
  for (const text of texts) alone.push(...(await compute([text])));
  const isScore = engine.model.task === 'rerank';
  const least = isScore ? minScoreCloseness : minCosine;
  const fail = (fault: string): never => {
    throw new Error(`${file}: ${fault}; this graph would serve wrong vectors`);
  };
  for (const [i, vector] of together.entries()) {
    if (vector.length !== engine.model.dimensions) fail(`a vector has ${vector.length} dimensions`);
    const norm = Math.sqrt(cosine(vector, vector));
    if (!(isScore || Math.abs(norm - 1) <= unitTolerance)) fail(`a vector has the length ${norm}`);
    const beside = closeness(vector, alone[i]!);
    if (!(beside >= least)) {
      fail(`a text gets a different vector with other texts than alone (cosine ${beside.toFixed(4)})`);
    }
    if (!(closeness(vector, again[i]!) >= least)) fail('a text gets a different vector each time');
  }
  if (together[0]!.every((value, i) => value === together[1]![i])) fail('two texts get the same vector');
}

/** Throws when special tokens and prompt fill the limit, because every text would then have the same vector. */
async function refuseNarrowLimit<P extends PreparedText>(
  engine: Engine<P>,
  inputType: InputType,
): Promise<void> {
  const { maxTokens } = engine.model;
  const [empty] = await engine.prepare([sampleFor(engine.model, '', '')], inputType);
  if (empty!.fullTokenCount < maxTokens) return;
  throw new Error(
    `the ${maxTokens} tokens that the model reads leave no room for a text after the special tokens and the ` +
      `${inputType} prompt; set EMBEDDING_MAX_TOKENS (max_tokens in a file), or a shorter prompt`,
  );
}

/** Returns the engine's own message, which is nested in the error for clients. */
function reasonOf(reason: unknown): string {
  const { cause, outcomes = [] } = fieldsOf(reason);
  const inner = [outcomes, cause].flat().find((one) => one instanceof Error);
  return messageOf(inner ?? reason);
}
