import type { DeprecatedUsage } from '../../../api/usage.ts';
import { dayOf, formatFullDay } from '../../../lib/months.ts';
import { serviceTime } from '../../../lib/service-time.ts';
import { useKeyName } from '../../../lib/use-person-name.ts';
import { Notice } from '../../../ui/notice.tsx';
import { formatUnits } from '../limits/limit-text.ts';

const shownKeys = 5;

/** A notice for each deprecated or retired model that keys still call. */
export function DeprecatedModels({ usage }: { usage: readonly DeprecatedUsage[] }) {
  const nameOf = useKeyName(usage);
  const today = dayOf(serviceTime());
  return [...Map.groupBy(usage, ({ model }) => model)].map(([model, rows]) => {
    // The keys with the most requests come first.
    const shown = rows
      .slice(0, shownKeys)
      .map((row) => `${nameOf(row)} (${formatUnits(row.counted + row.cached + row.failed, 'requests')})`)
      .join(', ');
    const isRetired = rows.some((row) => hasEnded(row, today));
    return (
      <Notice key={model} look={isRetired ? 'danger' : 'warning'}>
        <div className="wrap-anywhere">
          <p className="font-medium">{rows[0] && plansOf(rows[0], today)}</p>
          <p>
            {rows.length === 1 ? 'This key' : 'These keys'} called it in the last 30 days: {shown}
            {rows.length > shownKeys && ` and ${rows.length - shownKeys} more`}.
          </p>
        </div>
      </Notice>
    );
  });
}

const hasEnded = ({ sunset }: DeprecatedUsage, today: string): boolean => sunset !== null && sunset <= today;

/** Returns, for example, `old is deprecated and stops on Jan 31, 2027 (UTC). Use new instead.` */
function plansOf(usage: DeprecatedUsage, today: string): string {
  const { model, deprecated, sunset, replacement } = usage;
  const dayIn = (day: string): string => `on ${formatFullDay(day)} (UTC)`;
  const plans =
    sunset !== null && hasEnded(usage, today)
      ? [`was retired ${dayIn(sunset)}`]
      : [
          deprecated && (deprecated <= today ? 'is deprecated' : `will be deprecated ${dayIn(deprecated)}`),
          sunset && `stops ${dayIn(sunset)}`,
        ].filter(Boolean);
  return `${model} ${plans.join(' and ')}.${replacement ? ` Use ${replacement} instead.` : ''}`;
}
