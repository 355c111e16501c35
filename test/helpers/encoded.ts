import type { Tokens } from '../../src/embeddings/engines/onnx/token-collector.ts';
import type { Tokenizer } from '../../src/embeddings/engines/onnx/tokenizer.ts';

/** A text's tokens at once: the first `maxTokens`, and the count of all. */
export function encoded(tokenizer: Tokenizer, text: string, maxTokens: number): Tokens {
  const steps = tokenizer.encode(text, { maxTokens, maxCounted: Number.POSITIVE_INFINITY });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
