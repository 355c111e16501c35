import { createHash } from 'node:crypto';
import type { UpstreamSettings } from './settings.ts';

// Increment when a change of this code makes the upstream return a different vector for the same text.
const requestVersion = 1;

interface Served {
  readonly dimensions: number;
  readonly maxTokens: number;
  /** Whether only the addresses distinguish this model from another configured one. */
  readonly isByAddress: boolean;
}

/**
 * Returns the model's fingerprint. It contains the addresses only if needed, so a model that moves keeps its cached
 * vectors. `revision` is for changes that no other part shows.
 */
export function fingerprintOf(
  { model, task, revision, queryPrompt, documentPrompt, urls }: UpstreamSettings,
  { dimensions, maxTokens, isByAddress }: Served,
): string {
  const parts = [
    ...['upstream', requestVersion, model, revision],
    ...[dimensions, maxTokens, queryPrompt, documentPrompt],
    ...(isByAddress ? [addressesOf(urls)] : []),
    ...(task ? [task] : []),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Reports whether `other` could have the fingerprint of `settings` although its addresses differ: they can serve
 * different models by the same name. A limit or size that only the upstream knows counts as possibly equal.
 */
export function mayDifferOnlyInAddress(settings: UpstreamSettings, other: UpstreamSettings): boolean {
  const same = ['model', 'revision', 'queryPrompt', 'documentPrompt'] as const;
  const perhapsSame = ['dimensions', 'maxTokens'] as const;
  return (
    same.every((field) => settings[field] === other[field]) &&
    perhapsSame.every((field) => (settings[field] ?? other[field]) === (other[field] ?? settings[field])) &&
    String(addressesOf(settings.urls)) !== String(addressesOf(other.urls))
  );
}

const addressesOf = (urls: readonly string[]): string[] => [...new Set(urls)].sort();
