/** The properties that determine how much memory a model's texts need in the worst case. */
export interface ModelSize {
  /** The size of the graph's file and its weights. */
  readonly graphBytes: number;
  readonly maxTokens: number;
  /** The number of attention heads. Undefined if no file states it. */
  readonly heads: number | undefined;
  /** The size of a token's vectors inside the model. Undefined if no file states it. */
  readonly hiddenSize: number | undefined;
  /** Default: true. Without one, only the native encoder computes the model, and it holds the scores of a few tokens. */
  readonly hasGraph?: boolean;
}

export interface MemoryPlan {
  readonly heads: number;
  readonly areHeadsAssumed: boolean;
  /** The memory that the longest text needs. */
  readonly textBytes: number;
  /** Limit of a batch in tokens. It keeps the memory within the larger of `textBytes` and `maxBatchBytes`. */
  readonly maxBatchTokens: number;
  /** Whether a batch's memory is kept for the next one. */
  readonly keepsMemory: boolean;
  /** Returns the memory that a batch of texts needs, padded to `columns` tokens each. */
  bytesOf(texts: number, columns: number): number;
}

const bytesPerNumber = 4;
/** Attention scores and their softmax. 8,192 tokens and 4 heads: 2,147 MB by this estimate, 2,070 MB measured. */
const scoresAtOnce = 2;
/** A token's vectors in memory at a time: queries, keys and values, and the wide layer with its activation. */
const vectorsAtOnce = 12;
const usualHeadWidth = 64;
const usualHiddenSize = 1_024;
/** ONNX Runtime's arena never frees memory. Long texts are as fast without it. */
const maxKeptBytes = 64 << 20;
const maxBatchBytes = 128 << 20;

export function planMemory({
  maxTokens,
  heads: stated,
  hiddenSize = usualHiddenSize,
  hasGraph = true,
}: ModelSize): MemoryPlan {
  const heads = stated ?? Math.max(1, Math.ceil(hiddenSize / usualHeadWidth));
  const perScore = hasGraph ? scoresAtOnce * heads * bytesPerNumber : 0;
  const perToken = vectorsAtOnce * hiddenSize * bytesPerNumber;
  const bytesOf = (texts: number, columns: number): number =>
    texts * columns * (perScore * columns + perToken);
  const textBytes = bytesOf(1, maxTokens);
  return {
    heads,
    areHeadsAssumed: stated === undefined,
    textBytes,
    maxBatchTokens: Math.floor(Math.max(textBytes, maxBatchBytes) / (perScore * maxTokens + perToken)),
    keepsMemory: textBytes <= maxKeptBytes,
    bytesOf,
  };
}

/** Returns how many tokens a text can have if it may use `bytes` of memory. */
export function tokensWithin(bytes: number, plan: MemoryPlan): number {
  let [fits, most] = [0, 2 ** 32];
  while (most - fits > 1) {
    const middle = Math.floor((fits + most) / 2);
    if (plan.bytesOf(1, middle) <= bytes) fits = middle;
    else most = middle;
  }
  return fits;
}

/**
 * Throws a one-line message that names the setting to change when the longest text and the weights of all `workers` do
 * not fit into `memoryBytes`.
 */
export function refuseTooLarge(
  { graphBytes, maxTokens }: ModelSize,
  plan: MemoryPlan,
  { workers, memoryBytes }: { readonly workers: number; readonly memoryBytes: number },
): void {
  const leftBytes = memoryBytes - workers * graphBytes;
  if (plan.textBytes <= leftBytes) return;
  const heads = plan.areHeadsAssumed ? `${plan.heads} heads assumed` : `${plan.heads} heads`;
  const tokens = tokensWithin(leftBytes, plan);
  const fewer = workers > 1 ? ', or EMBEDDING_WORKERS (workers) to fewer' : '';
  const remedy =
    tokens > 0
      ? `set EMBEDDING_MAX_TOKENS (max_tokens in a file) to ${tokens} or less${fewer}`
      : `set EMBEDDING_DTYPE (dtype in a file) to a smaller one${fewer}`;
  throw new Error(
    `a text of ${maxTokens} tokens can need ${inMegabytes(plan.textBytes)} of memory (${heads}), but only ` +
      `${inMegabytes(leftBytes)} are left beside the weights; ${remedy}`,
  );
}

const inMegabytes = (bytes: number): string =>
  `${Math.max(0, Math.floor(bytes / 1e6)).toLocaleString('en-US')} MB`;
