import type { Alert } from '../../../api/alerts.ts';
import { formatCount, formatDay, formatMoment } from '../../../lib/format.ts';

export type AlertLook = 'plain' | 'warning' | 'danger';

const warnsFrom = 80;

/** Returns a short description of an alert. */
export function alertTitle({ kind, threshold, window, exhausts_at }: Alert): string {
  if (kind === 'projection') {
    return `At this rate you’ll reach your limit on ${formatDay(exhausts_at ?? '')}`;
  }
  return threshold === 100
    ? `The quota of the ${window} is used up`
    : `${threshold}% of the quota of the ${window} is used`;
}

/** Returns when an alert was raised, and the usage at that time. */
export const alertStanding = ({ used, limit, raised_at }: Alert): string =>
  `${formatCount(used)} of ${formatCount(limit)} used · ${formatMoment(raised_at)}`;

export function alertLook({ kind, threshold }: Alert): AlertLook {
  if (threshold === 100) return 'danger';
  return kind === 'projection' || (threshold ?? 0) >= warnsFrom ? 'warning' : 'plain';
}

/** Returns the alerts of current windows that nobody has acknowledged, the most severe first. */
export function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts
    .filter(({ is_current, acknowledged_at }) => is_current && acknowledged_at === null)
    .sort((a, b) => severity(b) - severity(a));
}

/** A projection comes just below the thresholds that are shown as warnings. */
const severity = ({ threshold }: Alert): number => threshold ?? warnsFrom - 1;
