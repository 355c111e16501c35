import type { ReactNode } from 'react';
import type { Organization } from '../../../api/organizations.ts';
import type { UsageReport } from '../../../api/usage.ts';
import { formatCount, formatDay, formatLatency, formatMoment, formatShare } from '../../../lib/format.ts';
import { formatReset, isRate, isUsedUp, quotaShare, windowShare } from '../../../lib/quota.ts';
import { useNow } from '../../../lib/use-now.ts';
import { usedLook } from '../../../ui/bar.tsx';

interface Props extends Pick<Organization, 'quota'> {
  /** The report of the shown period. Undefined while it loads. */
  report: UsageReport | undefined;
}

/** The standing of the organization, its forecast, and what else people look for first. */
export function Headline({ quota, report }: Props) {
  const nowMs = useNow(1_000);
  const { used, limit, unit, window } = quota;
  const share = quotaShare(quota);
  return (
    <section aria-label="Standing" className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-2 gap-x-10 gap-y-4 xl:grid-cols-[auto_1fr_auto_auto]">
        <div className="max-sm:col-span-2">
          <dt className="text-muted">{isRate(quota) ? 'Rate limit' : `This ${window}`}</dt>
          {isRate(quota) ? (
            <Figure value={limit === null ? 'Unlimited' : formatCount(limit)}>
              {limit !== null && `${unit} per ${window}`}
            </Figure>
          ) : (
            <Figure value={formatCount(used)}>
              {limit === null
                ? `${unit}, unlimited`
                : `of ${formatCount(limit)} ${unit} · ${formatShare(share ?? 0)}`}
            </Figure>
          )}
          <dd className="text-muted">Resets {formatReset(quota, nowMs)}</dd>
        </div>
        <div className="max-sm:col-span-2">
          <dt className="text-muted">Forecast</dt>
          <dd className="max-w-80 text-balance pt-1 font-semibold text-lg">
            <Forecast quota={quota} report={report} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt className="text-muted">Cache</dt>
          <Figure value={report ? formatShare(cachedShare(report)) : '–'}>served free</Figure>
        </div>
        <div>
          <dt className="text-muted">Latency, p95</dt>
          <Figure value={report?.latency?.p95_ms ? formatLatency(report.latency.p95_ms) : '–'}>{null}</Figure>
        </div>
      </dl>
      {!isRate(quota) && limit !== null && (
        <QuotaProgress quota={quota} projected={report?.projection?.used_at_reset ?? null} nowMs={nowMs} />
      )}
    </section>
  );
}

function Figure({ value, children }: { value: string; children: ReactNode }) {
  return (
    <dd className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-semibold text-3xl tabular-nums">{value}</span>
      <span className="text-muted tabular-nums">{children}</span>
    </dd>
  );
}

function cachedShare({ totals: { counted, cached } }: UsageReport): number {
  return counted + cached === 0 ? 0 : cached / (counted + cached);
}

interface ForecastProps extends Props {
  nowMs: number;
}

function Forecast({ quota, report, nowMs }: ForecastProps) {
  if (isUsedUp(quota, nowMs)) return `The quota is used up until ${formatMoment(quota.resets_at)}`;
  if (quota.limit === null) return 'No limit to reach';
  if (!report) return '–';
  const { projection } = report;
  if (!projection) {
    return (
      <span className="font-normal text-muted text-sm">
        {quota.window === 'month' && quota.unit === 'requests'
          ? 'Not enough data yet. Forecasts appear after two days of usage.'
          : 'Forecasts are available for monthly limits of requests.'}
      </span>
    );
  }
  const { exhausts_at, used_at_reset, per_day } = projection;
  const rate = `From ${formatCount(Math.round(per_day))} requests per day`;
  if (!exhausts_at) {
    return <span title={rate}>You’ll have used {formatCount(used_at_reset)} by the reset</span>;
  }
  const days = Math.round((Date.parse(quota.resets_at) - Date.parse(exhausts_at)) / 86_400_000);
  return (
    <span className="text-danger" title={rate}>
      You’ll reach your limit on {formatDay(exhausts_at)}
      {days > 0 && `, ${days} ${days === 1 ? 'day' : 'days'} before the reset`}
    </span>
  );
}

interface ProgressProps extends Pick<Organization, 'quota'> {
  /** What will have been used at the reset. */
  projected: number | null;
  nowMs: number;
}

/** The used part of the limit, what is forecast, and a tick for the part of the window that is over. */
function QuotaProgress({ quota, projected, nowMs }: ProgressProps) {
  const share = Math.min(1, quotaShare(quota) ?? 0);
  const forecast = Math.min(1, projected === null || !quota.limit ? share : projected / quota.limit);
  const time = windowShare(quota, nowMs);
  const text = `${formatCount(quota.used)} of ${formatCount(quota.limit ?? 0)} used. ${formatShare(time)} of the ${quota.window} is over.`;
  return (
    <div className="relative" title={text}>
      <div role="img" aria-label={text} className="relative h-2.5 overflow-hidden rounded-full bg-raised">
        <svg aria-hidden width={`${forecast * 100}%`} height="100%" className="absolute text-edge">
          <pattern
            id="forecast"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="2" height="6" fill="currentColor" />
          </pattern>
          <rect width="100%" height="100%" fill="url(#forecast)" />
        </svg>
        <div
          className={`is-data absolute h-full rounded-full transition-[width] duration-200 ${usedLook(share)}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <span
        aria-hidden
        className="is-data absolute -inset-y-1 w-0.5 rounded-full bg-ink"
        style={{ left: `${time * 100}%` }}
      />
    </div>
  );
}
