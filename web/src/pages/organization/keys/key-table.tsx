import type { ListedKey } from '../../../api/keys.ts';
import { Sparkline } from '../../../charts/sparkline.tsx';
import { capitalized, formatAgo, formatCount, formatDay, formatMoment } from '../../../lib/format.ts';
import { isUsedUp } from '../../../lib/quota.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge } from '../../../ui/badge.tsx';
import { MenuItem, RowMenu } from '../../../ui/menu.tsx';
import { actions, type Row, RowLink, row, Table } from '../../../ui/table.tsx';
import type { KeyIntent } from './key-action.tsx';
import { formatExpiry, isValid, keyStatus, statusLooks } from './key-status.ts';
import { useKeyPeople } from './use-key-people.ts';

interface Props {
  keys: readonly ListedKey[];
  sort: string;
  onSort: (sort: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (keyIds: ReadonlySet<string>) => void;
  onAct: (does: KeyIntent['does'], key: ListedKey) => void;
}

const columns = [
  { name: 'Name', order: 'name' },
  { name: 'Requests, 30 days', order: 'requests', numeric: true },
  { name: 'Last used', order: 'last_used' },
  { name: 'Expires', order: 'expires' },
  { name: 'Created', order: 'created' },
  actions,
];

export function KeyTable({ keys, sort, onSort, selected, onSelect, onAct }: Props) {
  const nowMs = useNow(1_000);
  const { quota } = useOrganization();
  const { creatorOf, mayChange } = useKeyPeople();
  if (keys.length === 0) return <p className="py-4 text-muted">No key matches the search.</p>;
  const rowOf = (key: ListedKey): Row => {
    const status = keyStatus(key, nowMs);
    const isRefused = isUsedUp(quota, nowMs) && isValid(status);
    return row(
      key.key_id,
      <span className="flex min-w-0 items-center gap-2.5">
        {mayChange(key) && (
          <input
            type="checkbox"
            aria-label={`Select ${key.name}`}
            className="size-4 accent-accent"
            checked={selected.has(key.key_id)}
            onChange={({ target }) => {
              const next = new Set(selected);
              if (target.checked) next.add(key.key_id);
              else next.delete(key.key_id);
              onSelect(next);
            }}
          />
        )}
        <RowLink name={key.name} to={`/organizations/${key.org_id}/keys/${key.key_id}`} />
        <code className="font-mono text-muted text-xs">{key.hint}</code>
        {status !== 'active' && <Badge look={statusLooks[status]}>{capitalized(status)}</Badge>}
        {isRefused && (
          <span title="Requests that aren’t cached get 429 until the reset.">
            <Badge look="danger">Over quota</Badge>
          </span>
        )}
      </span>,
      <span className="inline-flex items-center gap-2">
        <Sparkline values={key.series_30d} />
        <span className="min-w-12">{formatCount(key.requests_30d)}</span>
      </span>,
      key.last_used_at ? formatAgo(key.last_used_at, nowMs) : 'Never',
      <span title={formatMoment(key.expires_at)}>{formatExpiry(key.expires_at)}</span>,
      <span>
        {formatDay(key.created_at)} <span className="text-muted">by {creatorOf(key)}</span>
      </span>,
      mayChange(key) && (
        <RowMenu name={key.name}>
          <MenuItem onSelect={() => onAct('rotate', key)}>Rotate…</MenuItem>
          <MenuItem onSelect={() => onAct('revoke', key)}>Revoke…</MenuItem>
        </RowMenu>
      ),
    );
  };
  return <Table caption="API keys" columns={columns} rows={keys.map(rowOf)} sort={sort} onSort={onSort} />;
}
