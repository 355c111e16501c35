import type { UsageReport } from '../../../api/usage.ts';
import { Select } from '../../../ui/select.tsx';
import { useKeyName } from './use-key-name.ts';

const all = '';

interface Props {
  orgId: string;
  /** Null while loading. */
  report: UsageReport | null;
  /** Undefined for all keys. */
  value: string | undefined;
  onChange: (keyId: string | undefined) => void;
}

/** Selects one of the keys that were used in the period, or all. */
export function KeySelect({ orgId, report, value, onChange }: Props) {
  const keys = report?.keys ?? [];
  const nameOf = useKeyName(orgId, keys);
  const isListed = value === undefined || keys.some(({ key_id }) => key_id === value);
  return (
    <Select
      aria-label="Key"
      value={value ?? all}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value={all}>All keys</option>
      {keys.map((key) => (
        <option key={key.key_id} value={key.key_id}>
          {nameOf(key)}
        </option>
      ))}
      {/* A key that the address names but that was not used in this period. */}
      {!isListed && <option value={value}>{value}</option>}
    </Select>
  );
}
