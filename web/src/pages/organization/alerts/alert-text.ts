import type { Alert, AlertSettings } from '../../../api/alerts.ts';
import { formatCount, formatDay, formatMoment } from '../../../lib/format.ts';
import { formatFullDay } from '../../../lib/months.ts';

export type AlertLook = 'plain' | 'warning' | 'danger';

const warnsFrom = 80;

/** Returns a short description of an alert. */
export function alertTitle(alert: Alert): string {
  const { kind, threshold, window, exhausts_at, expires_at, limit_id, name } = alert;
  if (kind === 'key_expiry') return `The key “${name}” expires on ${formatFullDay(expires_at ?? '')}`;
  if (kind === 'projection') {
    return `At this rate you’ll reach your limit on ${formatDay(exhausts_at ?? '')}`;
  }
  const of = limit_id === null ? 'quota' : 'limit';
  const whose = name === null ? '' : ` for ${name}`;
  return threshold === 100
    ? `The ${of} of the ${window}${whose} is used up`
    : `${threshold}% of the ${of} of the ${window}${whose} is used`;
}

/** Returns when an alert was raised, and the usage at that time if it is about usage. */
export function alertStanding({ used, limit, raised_at }: Alert): string {
  const moment = formatMoment(raised_at);
  return used === null || limit === null
    ? moment
    : `${formatCount(used)} of ${formatCount(limit)} used · ${moment}`;
}

/** Returns which lower thresholds the usage has passed before. Undefined: none. */
export function passedBefore(
  { threshold, limit_id }: Alert,
  { thresholds, limit_thresholds }: AlertSettings,
): string | undefined {
  const lower = (limit_id === null ? thresholds : limit_thresholds).filter((each) => each < (threshold ?? 0));
  return lower.length === 0 ? undefined : `passed ${lower.map((each) => `${each}%`).join(', ')} before`;
}

export function alertLook({ kind, threshold }: Alert): AlertLook {
  if (threshold === 100) return 'danger';
  return kind !== 'threshold' || (threshold ?? 0) >= warnsFrom ? 'warning' : 'plain';
}

/** Returns the alerts of current windows that nobody has acknowledged, the most severe first. */
export function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts
    .filter(({ is_current, acknowledged_at }) => is_current && acknowledged_at === null)
    .sort((a, b) => severity(b) - severity(a));
}

/** A projection and the end of a key come just below the thresholds that are shown as warnings. */
const severity = ({ threshold }: Alert): number => threshold ?? warnsFrom - 1;
