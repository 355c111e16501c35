import { NativeEncoder, nativeProblem } from '../../encoder-native/src/index.ts';
import { readEncoder } from '../../onnx-int8/src/index.ts';
import { messageOf, Unavailable } from '../../small/src/errors.ts';
import { withPadding } from './batch.ts';
import { chooseOutput, type GraphOutput, type OutputChoice } from './graph-output.ts';
import type { Inference } from './inference.ts';
import type { ModelDirectory } from './model-directory.ts';
import type { ThreadPlan } from './thread-plan.ts';

/**
 * Returns inference by the native encoder, or the reason why it doesn't compute the model. Throws if the model's files
 * are damaged.
 */
export function nativeInference(
  model: ModelDirectory,
  { workers, threadsPerWorker }: ThreadPlan,
  isAllowed: boolean,
): Inference | string {
  const { modelFile, pooling, output, hiddenSize, isCrossEncoder, paddingId } = model;
  if (!model.isConverted) return 'its weights are not in int8';
  if (!isAllowed) return 'NATIVE_ENCODER is off';
  if (threadsPerWorker !== 1) return 'several threads compute a batch';
  if (nativeProblem !== undefined) return nativeProblem;
  let encoder: NativeEncoder;
  let mode: 'mean' | 'cls';
  try {
    const file = readEncoder(modelFile);
    if (!file) return "the native encoder doesn't compute graphs of this kind";
    const chosen = choose(file.outputs, { output, pooling, hiddenSize, isCrossEncoder });
    if (chosen instanceof Error) return chosen.message;
    if (chosen.name !== file.layout.output)
      return `the native encoder doesn't compute the output "${chosen.name}"`;
    if (chosen.pooling !== 'mean' && chosen.pooling !== 'cls')
      return `the native encoder has no pooling "${chosen.pooling}"`;
    mode = chosen.pooling;
    encoder = new NativeEncoder(file, workers);
  } catch (cause) {
    const remedy = 'pull or convert the model again, or set NATIVE_ENCODER=off';
    throw new Error(`${modelFile}: ${messageOf(cause)}; ${remedy}`, { cause });
  }
  const { dimensions } = encoder;
  const stated = pooling.dimensions ?? hiddenSize ?? dimensions;
  if (dimensions !== stated) {
    encoder.close();
    return `the native encoder's vectors have ${dimensions} dimensions, and the files state ${stated}`;
  }
  let isClosed = false;
  return {
    start: async () => ({ dimensions, pooling: mode }),
    startOthers: () => {},
    call: async (batch) => {
      const { ids, tokenCounts } = withPadding(batch, paddingId);
      const vectors = await encoder.compute(ids, tokenCounts, mode);
      if (isClosed) throw Unavailable.of(new Error('The engine is closed'));
      return vectors;
    },
    ready: async () => {},
    close: async () => {
      isClosed = true;
      encoder.close();
    },
  };
}

/** Returns why no output can be chosen. ONNX Runtime may infer a shape that the file doesn't state, or fails alike. */
function choose(outputs: Parameters<typeof chooseOutput>[0], choice: OutputChoice): GraphOutput | Error {
  try {
    return chooseOutput(outputs, choice);
  } catch (error) {
    return new Error(messageOf(error), { cause: error });
  }
}
