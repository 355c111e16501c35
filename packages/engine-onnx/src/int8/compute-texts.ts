import { InferenceSession } from 'onnxruntime-node';
import type { ComputeTexts } from '../../../onnx-int8/src/index.ts';
import { batchOf } from '../batch.ts';
import { feedsOf } from '../graph-inputs.ts';
import type { TokenizedText } from '../tokenized-text.ts';

const options = { intraOpNumThreads: 1, enableCpuMemArena: false, logSeverityLevel: 4 } as const;

/** Returns a function that computes the texts with a graph, in this thread. */
export function computeTextsOf(
  textsOf: () => Promise<readonly TokenizedText[]>,
  paddingId: number,
): ComputeTexts {
  return async function* (graph, names) {
    const texts = (await textsOf()).filter(({ tokenCount }) => tokenCount > 0);
    const session = await InferenceSession.create(graph, options);
    try {
      const feeds = feedsOf(session.inputMetadata, paddingId);
      for (const text of texts) yield await session.run(feeds(batchOf([text])), names);
    } finally {
      await session.release();
    }
  };
}
