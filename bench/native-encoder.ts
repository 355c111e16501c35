/** The native encoder and ONNX Runtime with the built-in model, in turn, one thread each. */
import { builtinDirectory } from '../packages/engine-onnx/src/builtin.ts';
import { openOnnxEngine } from '../packages/engine-onnx/src/onnx-engine.ts';
import type { TokenizedText } from '../packages/engine-onnx/src/tokenized-text.ts';
import { type Benchmark, median } from './benchmark.ts';

const rounds = 15;
const roundMs = 100;

const shapes = [
  { texts: 1, tokens: 12, bound: { atMost: 0.6 } },
  { texts: 1, tokens: 62, bound: { atMost: 0.75 } },
  { texts: 32, tokens: 16, bound: { atMost: 0.85 } },
  { texts: 16, tokens: 62, bound: { atMost: 0.85 } },
  { texts: 4, tokens: 256, bound: { atMost: 0.85 } },
];

export const nativeEncoder: readonly Benchmark[] = shapes.map(({ texts, tokens, bound }) => ({
  name: `native-${texts}x${tokens}`,
  what: `processor time of ${texts} × ${tokens} tokens of the built-in model, native encoder ÷ ONNX Runtime`,
  bound,
  takesLong: true,
  run: async () => {
    const options = {
      directory: await builtinDirectory(),
      name: 'built-in',
      workers: 1,
      threadsPerWorker: 1,
    };
    const engines = [await openOnnxEngine(options), await openOnnxEngine({ ...options, native: false })];
    const ids = Int32Array.from({ length: tokens }, (_, i) => 2_000 + i);
    const text: TokenizedText = { ids, tokenCount: tokens, fullTokenCount: tokens, isCut: false };
    const batch = Array<TokenizedText>(texts).fill(text);
    const tookMs = engines.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, engine] of engines.entries()) {
        let runs = 0;
        const from = process.cpuUsage();
        const spentMs = () => Object.values(process.cpuUsage(from)).reduce((a, b) => a + b) / 1_000;
        do await engine.run(batch);
        while (++runs && spentMs() < roundMs);
        tookMs[i]!.push(spentMs() / runs);
      }
    }
    await Promise.all(engines.map((engine) => engine.close()));
    const [native, graph] = tookMs.map(median);
    const details = `${native!.toFixed(2)} ms against ${graph!.toFixed(2)} (${engines[0]!.settings.runtime})`;
    return { value: native! / graph!, details };
  },
}));
