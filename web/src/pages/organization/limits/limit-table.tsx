import type { Limit } from '../../../api/limits.ts';
import { formatCount, formatMoment, formatShare } from '../../../lib/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { actions, type Row, RowName, Table } from '../../../ui/table.tsx';
import { describeLimit, describeWait, formatLimitReset } from './limit-text.ts';

interface Props {
  limits: readonly Limit[];
  /** What a limit applies to, if the table has limits of several scopes. */
  scopeOf?: (limit: Limit) => string;
  /** Both are undefined if the user can't change the limits. */
  onChange?: ((limit: Limit) => void) | undefined;
  onRemove?: ((limit: Limit) => void) | undefined;
}

const columns = ['Limit', { name: 'Used', numeric: true }, 'Resets'];

export function LimitTable({ limits, scopeOf, onChange, onRemove }: Props) {
  const nowMs = useNow(10_000);
  const isChangeable = Boolean(onChange && onRemove);
  const rowOf = (limit: Limit): Row => {
    const name = describeLimit(limit);
    return {
      key: limit.limit_id,
      cells: [
        <RowName
          key="name"
          name={name}
          more={[scopeOf?.(limit), describeWait(limit)].filter(Boolean).join(', ')}
        />,
        <Used key="used" limit={limit} />,
        <span key="resets" title={formatMoment(limit.resets_at)}>
          {formatLimitReset(limit, nowMs)}
        </span>,
        isChangeable && (
          <Menu key="actions" trigger={<Button aria-label={`Actions on ${name}`}>…</Button>}>
            <MenuItem onSelect={() => onChange?.(limit)}>Change amount…</MenuItem>
            <MenuItem onSelect={() => onRemove?.(limit)}>Remove</MenuItem>
          </Menu>
        ),
      ],
    };
  };
  return (
    <Table
      caption="Limits"
      columns={isChangeable ? [...columns, actions] : columns}
      rows={limits.map(rowOf)}
    />
  );
}

function Used({ limit: { used, amount } }: { limit: Limit }) {
  return (
    <span className={used >= amount ? 'font-medium text-danger' : undefined}>
      {formatCount(used)} ({formatShare(used / amount)})
    </span>
  );
}
