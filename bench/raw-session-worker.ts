import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession } from 'onnxruntime-node';
import { feedsOf } from '../packages/engine-onnx/src/graph-inputs.ts';

// Only ONNX Runtime: runs batches of pre-tokenized texts in sequence until the time is up.

const { modelFile, threads, texts }: { modelFile: string; threads: number; texts: Int32Array[] } = workerData;
const session = await InferenceSession.create(modelFile, {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
});
const outputs = session.outputNames.slice(0, 1);
const feeds = feedsOf(session.inputMetadata, 0);
parentPort?.on('message', async ({ batchSize, durationMs }: { batchSize: number; durationMs: number }) => {
  const batches = Array.from({ length: Math.floor(texts.length / batchSize) }, (_, i) =>
    feedsOfTexts(texts.slice(i * batchSize, (i + 1) * batchSize)),
  );
  const began = performance.now();
  let runs = 0;
  // Whole passes, because batches of short texts take less time than those of long ones.
  while (performance.now() - began < durationMs) {
    for (const batch of batches) {
      await session.run(batch, outputs);
      runs += 1;
    }
  }
  // Texts per second.
  parentPort?.postMessage((runs * batchSize * 1_000) / (performance.now() - began));
});
parentPort?.postMessage('ready');

function feedsOfTexts(batch: readonly Int32Array[]) {
  const ids = Int32Array.from(batch.flatMap((text) => [...text]));
  return feeds({ ids, typeIds: undefined, tokenCounts: batch.map(({ length }) => length) });
}
