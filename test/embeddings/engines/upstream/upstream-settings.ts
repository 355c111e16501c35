import type { UpstreamSettings } from '../../../../src/embeddings/engines/upstream/settings.ts';

/** Settings for tests, in which nothing waits long. */
export function upstreamSettings(
  urls: readonly string[],
  more: Partial<UpstreamSettings> = {},
): UpstreamSettings {
  return {
    kind: 'upstream',
    name: 'served',
    urls,
    key: null,
    model: 'theirs',
    dimensions: null,
    maxTokens: null,
    queryPrompt: '',
    documentPrompt: '',
    revision: null,
    concurrency: 2,
    maxBatchTexts: 32,
    timeoutMs: 5_000,
    deadlineMs: 10_000,
    startTimeoutMs: 0,
    ...more,
  };
}
