import { percentUsed, type Standing } from '../../quota/decide.ts';
import type { Projection } from '../projection.ts';
import type { AlertSettings } from './alert.ts';

/** What a standing calls an alert for. */
export interface Call {
  readonly orgId: string;
  readonly kind: 'threshold' | 'projection';
  /** Percent; 0 for a projection. */
  readonly threshold: number;
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

/** One for each threshold that is reached, lowest first. */
export function thresholdCalls(orgId: string, standing: Standing, { thresholds }: AlertSettings): Call[] {
  const percent = percentUsed(standing);
  return thresholds
    .filter((threshold) => threshold <= percent)
    .map((threshold) => ({ orgId, kind: 'threshold', threshold, standing, exhaustsAtMs: null }));
}

/** One where the quota is projected to end before its reset, and has not ended yet. */
export function projectionCall(
  orgId: string,
  standing: Standing,
  projection: Projection | null,
  settings: AlertSettings,
): Call | undefined {
  const exhaustsAtMs = projection?.exhaustsAtMs ?? null;
  if (!settings.projection || exhaustsAtMs === null || percentUsed(standing) >= 100) return undefined;
  return { orgId, kind: 'projection', threshold: 0, standing, exhaustsAtMs };
}
