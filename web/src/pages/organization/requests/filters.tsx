import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { modelsQuery } from '../../../api/embeddings.ts';
import { keysQuery } from '../../../api/keys.ts';
import { formatMoment } from '../../../lib/format.ts';
import { useLater } from '../../../lib/use-later.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { outcomeNames } from './outcome.tsx';
import type { FilterSearch } from './use-filter.ts';

interface Props {
  orgId: string;
  search: FilterSearch;
  onChange: (changed: FilterSearch) => void;
  onClear: () => void;
}

const statuses = ['200', '400', '401', '413', '422', '429', '500', '503'];
const latencies = { '100': '100 ms', '500': '500 ms', '1000': '1 s', '5000': '5 s' };

/** Narrows the log down. The address has all of it, so that it can be sent to a colleague. */
export function Filters({ orgId, search, onChange, onClear }: Props) {
  const keys = useInfiniteQuery(keysQuery(orgId, {}));
  const models = useQuery(modelsQuery);
  const names = (models.data ?? []).filter(({ alias_of }) => alias_of === undefined).map(({ id }) => id);
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <RequestSearch value={search.request} onChange={(request) => onChange({ request })} />
      <Choice
        name="Outcome"
        all="All outcomes"
        options={outcomeNames}
        value={search.outcome}
        onChange={(outcome) => onChange({ outcome })}
      />
      <Choice
        name="Key"
        all="All keys"
        options={Object.fromEntries((keys.data ?? []).map(({ key_id, name }) => [key_id, name]))}
        value={search.key}
        onChange={(key) => onChange({ key })}
      />
      {names.length > 1 && (
        <Choice
          name="Model"
          all="All models"
          options={Object.fromEntries(names.map((name) => [name, name]))}
          value={search.model}
          onChange={(model) => onChange({ model })}
        />
      )}
      <Choice
        name="Status"
        all="Any status"
        options={Object.fromEntries(statuses.map((status) => [status, status]))}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        name="Latency"
        all="Any latency"
        options={Object.fromEntries(Object.entries(latencies).map(([ms, text]) => [ms, `${text} or more`]))}
        value={search.slow}
        onChange={(slow) => onChange({ slow })}
      />
      {search.from && search.to && (
        <Button look="quiet" onClick={() => onChange({ from: undefined, to: undefined })}>
          {formatMoment(search.from)} to {formatMoment(search.to)}
          <X aria-label="Remove" />
        </Button>
      )}
      {isFiltered && (
        <Button look="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  /** The choice that filters nothing. */
  all: string;
  options: Readonly<Record<string, string>>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ name, all, options, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={name}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{all}</option>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
      {/* Something that the address names and the list doesn't have. */}
      {value && !(value in options) && <option value={value}>{value}</option>}
    </Select>
  );
}

interface SearchProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function RequestSearch({ value, onChange }: SearchProps) {
  const [text, setText] = useState(value ?? '');
  const wanted = useLater(text.trim());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing searches
  useEffect(() => {
    if (wanted !== (value ?? '')) onChange(wanted || undefined);
  }, [wanted]);
  return (
    <input
      type="search"
      aria-label="Request ID"
      placeholder="Find a request ID"
      maxLength={64}
      value={text}
      onChange={({ target }) => setText(target.value)}
      className="min-h-8 w-56 rounded-md border border-edge bg-surface px-2.5 placeholder:text-muted pointer-coarse:min-h-10"
    />
  );
}
