import { NativeEncoder, nativeKernel } from '../../encoder-native/src/index.ts';
import { readEncoder } from '../../onnx-int8/src/index.ts';
import { messageOf, Unavailable } from '../../small/src/errors.ts';
import { withPadding } from './batch.ts';
import { knownOutput } from './graph-output.ts';
import type { Inference } from './inference.ts';
import type { ModelDirectory } from './model-directory.ts';

/**
 * Returns inference by the native encoder; undefined if it can't compute the model, or not on this machine. Throws if the
 * model's files are damaged.
 */
export function nativeInference(model: ModelDirectory, threads: number): Inference | undefined {
  const { modelFile, pooling, output, isCrossEncoder, hiddenSize, paddingId } = model;
  const { mode } = pooling;
  if ((mode !== 'mean' && mode !== 'cls') || isCrossEncoder || nativeKernel === undefined) return undefined;
  let encoder: NativeEncoder;
  try {
    const file = readEncoder(modelFile);
    if (!file || file.layout.output !== (output ?? knownOutput([...file.outputs]))) return undefined;
    encoder = new NativeEncoder(file, threads);
  } catch (cause) {
    const remedy = 'pull or convert the model again, or set NATIVE_ENCODER=off';
    throw new Error(`${modelFile}: ${messageOf(cause)}; ${remedy}`, { cause });
  }
  const { dimensions } = encoder;
  // The graph's inference explains what is wrong with the files.
  if (dimensions !== (pooling.dimensions ?? hiddenSize ?? dimensions)) {
    encoder.close();
    return undefined;
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
