import type * as engine from './upstream-engine.ts';

export { mayDifferOnlyInAddress } from './fingerprint.ts';
export { environmentReranker, environmentUpstream, fileUpstream, type UpstreamSettings } from './settings.ts';
export type { KeepVectors } from './trial.ts';

/** The engine is loaded at the first call, because most commands only read settings. */
export const openUpstreamEngine: typeof engine.openUpstreamEngine = async (...args) =>
  (await import('./upstream-engine.ts')).openUpstreamEngine(...args);
