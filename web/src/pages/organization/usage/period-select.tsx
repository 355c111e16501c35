import { lastYear } from '../../../api/usage.ts';
import { formatMonth, monthBefore } from '../../../lib/months.ts';

interface Props {
  value: string;
  onChange: (period: string) => void;
}

export function PeriodSelect({ value, onChange }: Props) {
  const nowMs = Date.now();
  const months = Array.from({ length: 12 }, (_, back) => monthBefore(nowMs, back));
  return (
    <select
      aria-label="Period"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="min-h-9 rounded-md border border-field bg-surface px-2"
    >
      <option value={lastYear}>Last 12 months</option>
      {months.map((month) => (
        <option key={month} value={month}>
          {formatMonth(month)}
        </option>
      ))}
    </select>
  );
}
