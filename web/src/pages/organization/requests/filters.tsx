import { X } from 'lucide-react';
import type { RequestFilter } from '../../../api/requests.ts';
import { outcomes } from '../../../charts/series.ts';
import { formatMoment } from '../../../lib/format.ts';
import type { AddressSearch } from '../../../lib/use-address.ts';
import { useTypedSearch } from '../../../lib/use-list-search.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { KeyPicker, ModelPicker } from '../pickers.tsx';

interface Props {
  search: AddressSearch;
  onChange: (changed: AddressSearch) => void;
}

const outcomeNames = Object.fromEntries(outcomes.map(({ id, name }) => [id, name]));
const statuses = ['200', '400', '401', '403', '413', '422', '429', '500', '503'];
/** By the smallest latency in milliseconds. */
const latencies = {
  100: '100 ms or more',
  500: '500 ms or more',
  1000: '1 s or more',
  5000: '5 s or more',
};

/** Narrows the log down. The address has all of it, so that it can be sent to a colleague. */
export function Filters({ search, onChange }: Props) {
  const [typed, type] = useTypedSearch('request');
  const filtered = Object.keys(search).filter((name) => search[name] && name !== 'open');
  const choices = {
    outcome: ['Outcome', 'All outcomes', outcomeNames],
    status: ['Status', 'Any status', Object.fromEntries(statuses.map((status) => [status, status]))],
    slow: ['Latency', 'Any latency', latencies],
  } as const;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <SearchField value={typed} onChange={type} label="Find a request ID" />
      <KeyPicker value={search.key ?? ''} onChange={(key) => onChange({ key })} />
      <ModelPicker value={search.model ?? ''} onChange={(model) => onChange({ model })} />
      {Object.entries(choices).map(([filter, [name, all, options]]) => (
        <Select
          key={filter}
          aria-label={name}
          options={{ '': all, ...options }}
          value={search[filter] ?? ''}
          onChange={(value) => onChange({ [filter]: value })}
        />
      ))}
      {search.from && search.to && (
        <Button look="quiet" onClick={() => onChange({ from: undefined, to: undefined })}>
          {formatMoment(search.from)} to {formatMoment(search.to)}
          <X aria-label="Remove" />
        </Button>
      )}
      {filtered.length > 0 && (
        <Button
          look="quiet"
          onClick={() => onChange(Object.fromEntries(filtered.map((name) => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** Returns what the page lists, as its address says. */
export function filterOf(search: AddressSearch): RequestFilter {
  const { outcome, key: key_id, model, status, slow: min_latency_ms, from, to, request: request_id } = search;
  const filter = { outcome, key_id, model, status, min_latency_ms, from, to, request_id };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
}
