import { createHash } from 'node:crypto';
import type { UpstreamSettings } from '../settings.ts';

// Raise it when this code asks for another vector of the same text.
const requestVersion = 1;

export interface Findings {
  readonly dimensions: number;
  readonly maxTokens: number;
  /** Whether the addresses tell this model's vectors from those of another that is configured. */
  readonly isByAddress: boolean;
}

/**
 * Without the addresses, where they are not needed: the same model elsewhere keeps its cached vectors. `revision` is for a change
 * that nothing else tells.
 */
export function fingerprintOf(
  { model, revision, queryPrompt, documentPrompt, urls }: UpstreamSettings,
  { dimensions, maxTokens, isByAddress }: Findings,
): string {
  const parts = [
    ...['upstream', requestVersion, model, revision],
    ...[dimensions, maxTokens, queryPrompt, documentPrompt],
    ...(isByAddress ? [addressesOf(urls)] : []),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Whether `other` has the fingerprint of `settings` although its addresses differ: behind them, one name may stand for two models. A limit
 * or dimensions that only the upstream tells may be equal.
 */
export function isToldByAddress(settings: UpstreamSettings, other: UpstreamSettings): boolean {
  const isSame = (field: 'model' | 'revision' | 'queryPrompt' | 'documentPrompt') =>
    settings[field] === other[field];
  const mayBeSame = (field: 'dimensions' | 'maxTokens') =>
    (settings[field] ?? other[field]) === (other[field] ?? settings[field]);
  return (
    isSame('model') &&
    isSame('revision') &&
    isSame('queryPrompt') &&
    isSame('documentPrompt') &&
    mayBeSame('dimensions') &&
    mayBeSame('maxTokens') &&
    String(addressesOf(settings.urls)) !== String(addressesOf(other.urls))
  );
}

const addressesOf = (urls: readonly string[]): string[] => [...new Set(urls)].sort();
