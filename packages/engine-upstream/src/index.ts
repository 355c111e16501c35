export { mayDifferOnlyInAddress } from './fingerprint.ts';
export { environmentReranker, environmentUpstream, fileUpstream, type UpstreamSettings } from './settings.ts';
export type { KeepVectors } from './trial.ts';
export { openUpstreamEngine } from './upstream-engine.ts';
