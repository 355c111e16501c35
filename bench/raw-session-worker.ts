import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';

// Only ONNX Runtime: runs batches of pre-tokenized texts in sequence until the time is up.

const { modelFile, threads, texts }: { modelFile: string; threads: number; texts: Int32Array[] } = workerData;
const session = await InferenceSession.create(modelFile, {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
});
const outputs = session.outputNames.slice(0, 1);
parentPort?.on('message', async ({ batchSize, durationMs }: { batchSize: number; durationMs: number }) => {
  const batches = Array.from({ length: Math.floor(texts.length / batchSize) }, (_, i) =>
    feedsOf(texts.slice(i * batchSize, (i + 1) * batchSize)),
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

function feedsOf(batch: readonly Int32Array[]): Record<string, Tensor> {
  const columns = Math.max(...batch.map((ids) => ids.length));
  const inputIds = new BigInt64Array(batch.length * columns);
  const attentionMask = new BigInt64Array(inputIds.length);
  batch.forEach((ids, row) => {
    ids.forEach((id, column) => {
      inputIds[row * columns + column] = BigInt(id);
      attentionMask[row * columns + column] = 1n;
    });
  });
  const shape = [batch.length, columns];
  return {
    input_ids: new Tensor('int64', inputIds, shape),
    attention_mask: new Tensor('int64', attentionMask, shape),
  };
}
