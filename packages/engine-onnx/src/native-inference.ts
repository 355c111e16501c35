import { isNativeSlow, NativeEncoder, nativeProblem, readPublished } from '../../encoder-native/src/index.ts';
import { readEncoder, type StatedOutput } from '../../onnx-int8/src/index.ts';
import { messageOf, Unavailable } from '../../small/src/errors.ts';
import { withPadding } from './batch.ts';
import { chooseOutput, type GraphOutput, type OutputChoice } from './graph-output.ts';
import type { Inference } from './inference.ts';
import type { ModelDirectory } from './model-directory.ts';
import { howToExport, isWeights } from './model-file.ts';
import type { PoolingMode } from './pooling.ts';
import type { ThreadPlan } from './thread-plan.ts';

/**
 * Returns inference by the native encoder, or the reason why ONNX Runtime computes the model. Throws if the model's files
 * are damaged, or if there is no graph that ONNX Runtime could compute instead.
 */
export function nativeInference(
  model: ModelDirectory,
  plan: ThreadPlan,
  isAllowed: boolean,
): Inference | string {
  const inference = inferenceOrReason(model, plan, isAllowed);
  if (typeof inference !== 'string' || !isWeights(model.modelFile)) return inference;
  throw new Error(
    `${model.modelFile}: ${inference}; change that, or use a folder with a graph: ${howToExport}`,
  );
}

function inferenceOrReason(
  model: ModelDirectory,
  { workers, threadsPerWorker }: ThreadPlan,
  isAllowed: boolean,
): Inference | string {
  const { modelFile, pooling, output, hiddenSize, isCrossEncoder, paddingId } = model;
  if (!isAllowed) return 'NATIVE_ENCODER is off';
  if (threadsPerWorker !== 1) return 'EMBEDDING_THREADS (threads in a file) is above 1';
  if (nativeProblem !== undefined) return nativeProblem;
  if (isCrossEncoder && !isWeights(modelFile))
    return 'the native encoder computes scores of pairs only from model.safetensors';
  if (isNativeSlow && !isWeights(modelFile)) return 'the native encoder is slower on this processor';
  let encoder: NativeEncoder;
  let mode: PoolingMode;
  try {
    const file = isWeights(modelFile)
      ? readPublished(modelFile, model.config, { dense: pooling.dense, scoresPairs: isCrossEncoder })
      : readEncoder(modelFile);
    if (!file)
      return 'the folder has a graph; without one, the native encoder computes model.safetensors of known families';
    let asked: PoolingMode | null | undefined;
    if ('outputs' in file) {
      const chosen = choose(file.outputs, { output, pooling, hiddenSize, isCrossEncoder });
      if (!chosen) return "the graph's file doesn't describe its outputs as they are";
      if (!file.hasLayers(chosen.name))
        return `the native encoder doesn't compute the output "${chosen.name}"`;
      asked = chosen.pooling;
    } else {
      if (output !== undefined) return 'EMBEDDING_OUTPUT (output in a file) names the output of a graph';
      asked = file.layout.scorePooling ?? pooling.mode;
      if (!asked || !pooling.dense) return pooling.problem;
    }
    if (!asked) return 'the graph pools by itself';
    mode = asked;
    encoder = new NativeEncoder(file, workers);
  } catch (cause) {
    const again = 'pull or convert the model again';
    const remedy = isWeights(modelFile)
      ? `${again}, or use a folder with a graph: ${howToExport}`
      : `${again}, or set NATIVE_ENCODER=off`;
    throw new Error(`${modelFile}: ${messageOf(cause)}; ${remedy}`, { cause });
  }
  const { dimensions } = encoder;
  const ofFiles = pooling.dense?.at(-1)?.columns ?? pooling.dimensions ?? hiddenSize ?? dimensions;
  const stated = isCrossEncoder ? 1 : ofFiles;
  if (dimensions !== stated) {
    encoder.close();
    return `the native encoder's vectors have ${dimensions} dimensions, and the files state ${stated}`;
  }
  let isClosed = false;
  return {
    start: async () => ({ dimensions, pooling: isCrossEncoder ? null : mode }),
    startOthers: () => {},
    call: async (batch) => {
      const vectors = await encoder.compute(withPadding(batch, paddingId), mode);
      if (isClosed) throw Unavailable.of(new Error('The engine is closed'));
      return vectors;
    },
    ready: async () => encoder.refuseChanges(),
    close: async () => {
      isClosed = true;
      encoder.close();
    },
  };
}

/** Returns undefined if no output can be chosen. ONNX Runtime may still infer what the file doesn't state, or says why. */
function choose(outputs: readonly StatedOutput[], choice: OutputChoice): GraphOutput | undefined {
  try {
    return chooseOutput(outputs, choice);
  } catch {
    return undefined;
  }
}
