import type { UpstreamSettings } from '../src/settings.ts';

/** Settings for tests. Nothing waits as long as the limits, which are for a busy machine. */
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
    encoding: 'float',
    maxTokens: null,
    queryPrompt: '',
    documentPrompt: '',
    revision: null,
    concurrency: 2,
    maxBatchTexts: 32,
    timeoutMs: 30_000,
    deadlineMs: 60_000,
    startTimeoutMs: 0,
    ...more,
  };
}
