import type { Key } from '../../../api/keys.ts';
import { formatAgo, formatDay, formatMoment } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { actions, type Row, RowName, Table } from '../../../ui/table.tsx';
import { formatExpiry, isValid, keyStatus, statusLooks } from './key-status.ts';
import { Lineage } from './lineage.tsx';

interface Props {
  keys: readonly Key[];
  creatorOf: (key: Key) => string;
  mayChange: (key: Key) => boolean;
  /** Whether valid keys are currently refused. */
  isOverQuota: boolean;
  sort: string;
  onSort: ((sort: string) => void) | undefined;
  onFind: (keyId: string) => void;
  onLimits: (key: Key) => void;
  onRevoke: (key: Key) => void;
  onRotate: (key: Key) => void;
}

const columns = [
  { name: 'Name', order: 'name' },
  'Status',
  { name: 'Created', order: 'created' },
  'Last used',
  'Expires',
  actions,
];

export function KeyTable({
  keys,
  creatorOf,
  mayChange,
  isOverQuota,
  sort,
  onSort,
  onFind,
  onLimits,
  onRevoke,
  onRotate,
}: Props) {
  if (keys.length === 0) return <p className="py-4 text-muted">No key matches the search.</p>;
  const nowMs = Date.now();
  const rowOf = (key: Key): Row => {
    const status = keyStatus(key, nowMs);
    return {
      key: key.key_id,
      cells: [
        <RowName key="name" name={key.name} more={<Lineage apiKey={key} keys={keys} onFind={onFind} />} />,
        <span key="status">
          <Badge look={statusLooks[status]}>{status}</Badge>
          {isOverQuota && isValid(status) && <span className="block text-danger">over quota: gets 429</span>}
        </span>,
        <span key="created">
          <span className="block">{formatDay(key.created_at)}</span>
          <span className="block truncate text-muted sm:max-w-40">by {creatorOf(key)}</span>
        </span>,
        key.last_used_at ? formatAgo(key.last_used_at, nowMs) : 'Never',
        status === 'expires soon' ? formatMoment(key.expires_at) : formatExpiry(key.expires_at),
        mayChange(key) && (
          <span key="actions" className="flex flex-wrap gap-2">
            <Button title={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
            <Menu trigger={<Button aria-label={`Actions on ${key.name}`}>…</Button>}>
              <MenuItem onSelect={() => onLimits(key)}>Limits…</MenuItem>
              <MenuItem onSelect={() => onRotate(key)}>Rotate…</MenuItem>
            </Menu>
          </span>
        ),
      ],
    };
  };
  return <Table caption="API keys" columns={columns} rows={keys.map(rowOf)} sort={sort} onSort={onSort} />;
}
