import { lastDays, lastYear } from '../../../api/usage.ts';
import { formatMonth, monthBefore } from '../../../lib/months.ts';
import { Select } from '../../../ui/select.tsx';

interface Props {
  value: string;
  onChange: (period: string) => void;
}

export function PeriodSelect({ value, onChange }: Props) {
  const nowMs = Date.now();
  const lastMonths = Array.from({ length: 12 }, (_, back) => monthBefore(nowMs, back));
  const isListed = [lastDays, lastYear, ...lastMonths].includes(value);
  // An address may name a month of long ago.
  const months = isListed ? lastMonths : [...lastMonths, value];
  return (
    <Select aria-label="Period" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value={lastDays}>Last 30 days</option>
      <option value={lastYear}>Last 12 months</option>
      {months.map((month) => (
        <option key={month} value={month}>
          {formatMonth(month)}
        </option>
      ))}
    </Select>
  );
}
