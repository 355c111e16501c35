import type { ListedKey } from '../../../api/keys.ts';
import { Sparkline } from '../../../charts/sparkline.tsx';
import { capitalized, formatAgo, formatCount, formatDay, formatEndMoment } from '../../../lib/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { actions, type Row, RowName, row, Table } from '../../../ui/table.tsx';
import { FullestLimit, fullest } from '../limits/fullest-limit.tsx';
import type { KeyIntent } from './key-action.tsx';
import { formatExpiry, keyStatus, statusLooks } from './key-status.ts';
import { useKeyRights } from './use-key-rights.ts';

interface Props {
  keys: readonly ListedKey[];
  isSearched: boolean;
  sort: string;
  onSort: (sort: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (keyIds: ReadonlySet<string>) => void;
  onAct: (does: KeyIntent['does'], key: ListedKey) => void;
}

const columns = [
  { name: 'Name', order: 'name' },
  { name: 'Requests, 30 days', order: 'requests', numeric: true },
  { name: 'Scopes', isLongName: true },
  fullest,
  { name: 'Last used', order: 'last_used' },
  { name: 'Expires', order: 'expires', isExtra: true },
  { name: 'Created', order: 'created', isExtra: true },
  actions,
];

export function KeyTable({ keys, isSearched, sort, onSort, selected, onSelect, onAct }: Props) {
  // Hundreds of rows take too long to draw each second.
  const nowMs = useNow(10_000);
  const { mayChange, mayRevoke } = useKeyRights();
  if (keys.length === 0)
    return <p className="py-4 text-muted">{isSearched ? 'No key matches the search.' : 'There are none.'}</p>;
  const rowOf = (key: ListedKey): Row => {
    const status = keyStatus(key, nowMs);
    return row(
      key.key_id,
      <span className="flex min-w-0 items-center gap-2.5">
        {mayRevoke(key) && (
          <input
            type="checkbox"
            aria-label={`Select ${key.name}`}
            className="size-4 shrink-0 accent-accent"
            checked={selected.has(key.key_id)}
            onChange={({ target }) => {
              const next = new Set(selected);
              if (target.checked) next.add(key.key_id);
              else next.delete(key.key_id);
              onSelect(next);
            }}
          />
        )}
        <RowName
          name={key.name}
          {...(key.org_id && { to: `/organizations/${key.org_id}/keys/${key.key_id}` })}
        />
        <code className="shrink-0 font-mono text-muted text-xs">{key.hint}</code>
        {status !== 'active' && <Badge look={statusLooks[status]}>{capitalized(status)}</Badge>}
      </span>,
      // Keys of the installation can't embed, and have no page.
      key.org_id && <Sparkline values={key.series_30d}>{formatCount(key.requests_30d)}</Sparkline>,
      !key.org_id && <span className="block whitespace-normal xl:w-80">{key.scopes.join(', ')}</span>,
      key.fullest_limit && <FullestLimit limit={key.fullest_limit} />,
      key.last_used_at ? formatAgo(key.last_used_at) : 'Never',
      <span title={formatEndMoment(key.expires_at)}>{formatExpiry(key.expires_at)}</span>,
      formatDay(key.created_at),
      mayRevoke(key) &&
        (key.enabled && mayChange(key) ? (['rotate', 'revoke'] as const) : (['revoke'] as const)).map(
          (does) => (
            <Button
              key={does}
              look="quiet"
              aria-label={`${capitalized(does)} ${key.name}`}
              onClick={() => onAct(does, key)}
            >
              {capitalized(does)}
            </Button>
          ),
        ),
    );
  };
  return <Table caption="API keys" columns={columns} rows={keys.map(rowOf)} sort={sort} onSort={onSort} />;
}
