import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import { actorsQuery } from '../../../api/audit.ts';
import { capitalized } from '../../../lib/format.ts';
import type { AddressSearch } from '../../../lib/use-address.ts';
import { useLater } from '../../../lib/use-later.ts';
import { useTypedSearch } from '../../../lib/use-list-search.ts';
import { OrganizationId } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { actionText } from './audit-text.ts';

interface Props {
  search: AddressSearch;
  onChange: (changed: AddressSearch) => void;
  /** Returns the name that an entry has for the actor or the target with this id. */
  nameOf: (id: string) => string;
}

const kinds = 'key limit member invitation organization user channel alert-settings alert batch file'.split(
  ' ',
);
const kindNames = {
  '': 'Any change',
  session: 'Sign-ins',
  request: 'Refused attempts',
  ...Object.fromEntries(kinds.map((kind) => [kind, capitalized(kind.replace('-', ' '))])),
};
const filters = ['text', 'actor', 'kind', 'action', 'target', 'from', 'to'];

/** Narrows the log down. The address has all of it, so that it can be sent to a colleague. */
export function AuditFilters({ search, onChange, nameOf }: Props) {
  const [typed, type] = useTypedSearch('text');
  const { actor = '', kind = '', action, target, from, to } = search;
  const others = { action: action && actionText(action as never), target: target && nameOf(target) };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <SearchField value={typed} onChange={type} label="Search entries" />
      <ActorPicker value={actor} nameOf={nameOf} onChange={(next) => onChange({ actor: next })} />
      <Select
        aria-label="What was changed"
        options={kindNames}
        value={kind}
        onChange={(next) => onChange({ kind: next })}
      />
      <Day label="From" at={from && Date.parse(from)} onChange={(day) => onChange({ from: startOf(day) })} />
      <Day label="To" at={to && Date.parse(to) - 1} onChange={(day) => onChange({ to: startOf(day, 1) })} />
      {Object.entries(others).map(
        ([name, shown]) =>
          shown && (
            <Button key={name} look="quiet" onClick={() => onChange({ [name]: undefined })}>
              <bdi className="max-w-48 truncate">{shown}</bdi>
              <X aria-label="Remove" />
            </Button>
          ),
      )}
      {filters.some((name) => search[name]) && (
        <Button look="quiet" onClick={() => onChange(Object.fromEntries(filters.map((name) => [name, ''])))}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** Picks who has done something. */
function ActorPicker({
  value,
  nameOf,
  onChange,
}: Pick<Props, 'nameOf'> & { value: string; onChange: (actor: string) => void }) {
  const orgId = useContext(OrganizationId);
  const [typed, type] = useState<string | null>(null);
  const query = actorsQuery(orgId, useLater((typed ?? '').trim()));
  const found = useQuery({ ...query, enabled: typed !== null, placeholderData: keepPreviousData });
  return (
    <Picker
      name="Actor"
      shown={value ? nameOf(value) : 'Anyone'}
      typed={typed}
      onType={type}
      all={{ label: 'Anyone', run: () => onChange('') }}
      items={(found.data ?? []).map((item) => ({ ...item, run: () => onChange(item.words) }))}
    />
  );
}

/** Returns the moment at which a day begins where the browser is, or one some days later. */
function startOf(day: string, later = 0): string {
  if (day === '') return '';
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

interface DayProps {
  label: string;
  /** A moment of the day. */
  at: number | '' | undefined;
  onChange: (day: string) => void;
}

function Day({ label, at, onChange }: DayProps) {
  // In Swedish, a date is written as its field has it.
  const day = at ? new Date(at).toLocaleDateString('sv') : '';
  const [typed, type] = useState(day);
  useEffect(() => type(day), [day]);
  return (
    <label className="inline-flex items-center gap-1.5 text-muted">
      {label}
      <input
        type="date"
        min="2000-01-01"
        value={typed}
        onChange={({ target }) => {
          type(target.value);
          // While someone types a year, it is in the first century.
          if (target.validity.valid) onChange(target.value);
        }}
        className="min-h-8 rounded-md border border-edge bg-surface px-2 text-ink pointer-coarse:min-h-10"
      />
    </label>
  );
}
