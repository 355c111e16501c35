import { percentUsed, type Standing } from '../quota/decide.ts';
import type { Projection } from '../usage/projection.ts';
import type { AlertSettings } from './alert.ts';

/** An alert that is to be raised for a standing. */
export interface DueAlert {
  readonly orgId: string;
  readonly kind: 'threshold' | 'projection';
  /** Percent; 0 for a projection. */
  readonly threshold: number;
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

/** Returns an alert for each threshold that is reached, lowest first. */
export function dueThresholds(orgId: string, standing: Standing, { thresholds }: AlertSettings): DueAlert[] {
  const percent = percentUsed(standing);
  return thresholds
    .filter((threshold) => threshold <= percent)
    .map((threshold) => ({ orgId, kind: 'threshold', threshold, standing, exhaustsAtMs: null }));
}

/** Returns an alert if the forecast says that the quota will run out before its reset, and it has not run out yet. */
export function dueProjection(
  orgId: string,
  standing: Standing,
  projection: Projection | null,
  settings: AlertSettings,
): DueAlert | undefined {
  const exhaustsAtMs = projection?.exhaustsAtMs ?? null;
  if (!settings.projection || exhaustsAtMs === null || percentUsed(standing) >= 100) return undefined;
  return { orgId, kind: 'projection', threshold: 0, standing, exhaustsAtMs };
}
