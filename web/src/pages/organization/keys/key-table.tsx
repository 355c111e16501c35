import type { Key } from '../../../api/keys.ts';
import { formatAgo, formatDay } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Cell, Table } from '../../../ui/table.tsx';
import { formatExpiry, keyStatus, statusLooks } from './key-status.ts';

interface Props {
  keys: readonly Key[];
  creatorOf: (key: Key) => string;
  mayChange: (key: Key) => boolean;
  onRevoke: (key: Key) => void;
  onRotate: (key: Key) => void;
}

const head = ['Name', 'Key', 'Status', 'Created', 'Last used', 'Expires', 'Actions'];

export function KeyTable({ keys, creatorOf, mayChange, onRevoke, onRotate }: Props) {
  if (keys.length === 0) return <p className="py-4 text-muted">No key matches. Change the filter.</p>;
  const nowMs = Date.now();
  return (
    <Table caption="API keys" head={head}>
      {keys.map((key) => {
        const status = keyStatus(key, nowMs);
        return (
          <tr key={key.key_id}>
            <Cell>
              <span className="block max-w-48 truncate font-medium">{key.name}</span>
            </Cell>
            <Cell>
              <code>{key.hint}</code>
            </Cell>
            <Cell>
              <Badge look={statusLooks[status]}>{status}</Badge>
            </Cell>
            <Cell>
              <span className="block">{formatDay(key.created_at)}</span>
              <span className="block max-w-40 truncate text-muted">by {creatorOf(key)}</span>
            </Cell>
            <Cell>{key.last_used_at ? formatAgo(key.last_used_at) : 'Never'}</Cell>
            <Cell>{formatExpiry(key.expires_at)}</Cell>
            <Cell>
              {mayChange(key) && (
                <Menu trigger={<Button aria-label={`Actions on ${key.name}`}>…</Button>}>
                  <MenuItem onSelect={() => onRotate(key)}>Rotate…</MenuItem>
                  <MenuItem onSelect={() => onRevoke(key)}>Revoke…</MenuItem>
                </Menu>
              )}
            </Cell>
          </tr>
        );
      })}
    </Table>
  );
}
