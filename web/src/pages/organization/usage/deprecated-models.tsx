import type { DeprecatedUsage } from '../../../api/usage.ts';
import { dayOf, formatFullDay } from '../../../lib/months.ts';
import { Notice } from '../../../ui/notice.tsx';
import { formatUnits } from '../limits/limit-text.ts';
import { useKeyName } from './use-key-name.ts';

const shownKeys = 5;

interface Props {
  orgId: string;
  usage: readonly DeprecatedUsage[];
}

/** A notice for each deprecated or retired model that keys still call. */
export function DeprecatedModels({ orgId, usage }: Props) {
  const nameOf = useKeyName(orgId, usage);
  const today = dayOf(Date.now());
  return [...Map.groupBy(usage, ({ model }) => model)].map(([model, rows]) => {
    const keys = rows
      .map((row) => ({ name: nameOf(row), requests: row.counted + row.cached + row.failed }))
      .sort((a, b) => b.requests - a.requests);
    const shown = keys
      .slice(0, shownKeys)
      .map(({ name, requests }) => `${name} (${formatUnits(requests, 'requests')})`)
      .join(', ');
    const isRetired = rows.some(({ sunset }) => sunset !== null && sunset <= today);
    return (
      <Notice key={model} look={isRetired ? 'danger' : 'warning'}>
        <div className="wrap-anywhere">
          <p className="font-medium">{rows[0] && plansOf(rows[0], today)}</p>
          <p>
            {keys.length === 1 ? 'This key' : 'These keys'} called it in the last 30 days: {shown}
            {keys.length > shownKeys && ` and ${keys.length - shownKeys} more`}.
          </p>
        </div>
      </Notice>
    );
  });
}

/** Returns, for example, `old is deprecated and stops on Jan 31, 2027 (UTC). Use new instead.` */
function plansOf({ model, deprecated, sunset, replacement }: DeprecatedUsage, today: string): string {
  const dayIn = (day: string): string => `on ${formatFullDay(day)} (UTC)`;
  const plans =
    sunset !== null && sunset <= today
      ? [`was retired ${dayIn(sunset)}`]
      : [
          deprecated && (deprecated <= today ? 'is deprecated' : `will be deprecated ${dayIn(deprecated)}`),
          sunset && `stops ${dayIn(sunset)}`,
        ].filter(Boolean);
  return `${model} ${plans.join(' and ')}.${replacement ? ` Use ${replacement} instead.` : ''}`;
}
