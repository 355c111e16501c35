import { lazy, Suspense, useState } from 'react';
import { isRange, ranges } from '../../../api/usage.ts';
import { formatFullDay, formatMonth, monthBefore } from '../../../lib/months.ts';
import { Select } from '../../../ui/select.tsx';

const DayRange = lazy(() => import('./day-range.tsx'));

interface Props {
  value: string;
  onChange: (period: string) => void;
}

const custom = 'custom';

export function RangeSelect({ value, onChange }: Props) {
  const [isPicking, setPicking] = useState(false);
  const nowMs = Date.now();
  const months = Array.from({ length: 12 }, (_, back) => monthBefore(nowMs, back));
  // An address may name a month of long ago, or days.
  const isListed = isRange(value) || months.includes(value);
  return (
    <>
      <Select
        aria-label="Period"
        value={value}
        onChange={({ target }) => (target.value === custom ? setPicking(true) : onChange(target.value))}
      >
        {Object.entries(ranges).map(([range, { name }]) => (
          <option key={range} value={range}>
            {name}
          </option>
        ))}
        {!isListed && <option value={value}>{nameOf(value)}</option>}
        <option value={custom}>Custom…</option>
        {months.map((month) => (
          <option key={month} value={month}>
            {formatMonth(month)}
          </option>
        ))}
      </Select>
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
