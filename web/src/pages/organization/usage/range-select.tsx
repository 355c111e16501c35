import { lazy, Suspense, useState } from 'react';
import { isRange, ranges } from '../../../api/usage.ts';
import { formatFullDay, formatMonth, monthBefore } from '../../../lib/months.ts';
import { serviceTime } from '../../../lib/service-time.ts';
import { Select } from '../../../ui/select.tsx';

const DayRange = lazy(() => import('./day-range.tsx'));

const custom = 'custom';

export function RangeSelect({ value, onChange }: { value: string; onChange: (period: string) => void }) {
  const [isPicking, setPicking] = useState(false);
  const nowMs = serviceTime();
  const months = Array.from({ length: 12 }, (_, back) => monthBefore(nowMs, back));
  const periods = {
    ...Object.fromEntries(Object.entries(ranges).map(([range, { name }]) => [range, name])),
    // An address may name a month of long ago, or days.
    ...(!isRange(value) && { [value]: nameOf(value) }),
    [custom]: 'Custom…',
    ...Object.fromEntries(months.map((month) => [month, formatMonth(month)])),
  };
  return (
    <>
      <Select
        aria-label="Period"
        options={periods}
        value={value}
        onChange={(period) => (period === custom ? setPicking(true) : onChange(period))}
      />
      <span className="text-muted">UTC</span>
      <Suspense>
        {isPicking && (
          <DayRange
            onClose={() => setPicking(false)}
            onPick={(from, to) => {
              setPicking(false);
              onChange(`${from}:${to}`);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function nameOf(period: string): string {
  const [from = '', to] = period.split(':');
  return to ? `${formatFullDay(from)} – ${formatFullDay(to)}` : formatMonth(period);
}
