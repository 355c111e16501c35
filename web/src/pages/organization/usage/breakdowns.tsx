import { type ReactNode, useState } from 'react';
import { rowsAtOnce, type UsageReport } from '../../../api/usage.ts';
import { formatChange, formatCount } from '../../../lib/format.ts';
import { useKeyName } from '../../../lib/use-person-name.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ShareBar } from '../../../ui/bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { RowName, row, Table } from '../../../ui/table.tsx';
import { formatAmount } from '../limits/limit-text.ts';

/** The columns for figures, by the names that reports have for them. */
const titles = {
  counted: 'Counted',
  share: 'Share',
  trend: 'Change',
  cached: 'Cached',
  failed: 'Failed',
  texts: 'Texts',
  tokens: 'Tokens',
  cost: 'Cost',
} as const;
type Figure = keyof typeof titles;

/** One of the keys or models that share the usage. */
interface Part extends Readonly<Partial<Record<Figure | 'counted_texts' | 'counted_tokens', number | null>>> {
  readonly id: string;
  readonly name: string;
  /** Below the name. */
  readonly more?: ReactNode;
}

interface KeysProps {
  report: UsageReport;
  /** Called with the number of keys that people want to see. */
  onMore: (count: number) => void;
}

export function KeyBreakdown({ report: { keys, key_count, currency }, onMore }: KeysProps) {
  const nameOf = useKeyName(keys);
  const parts = keys.map((key) => ({
    ...key,
    id: key.key_id,
    name: nameOf(key),
    more: (
      <>
        {key.hint ? <code>{key.hint}</code> : 'playground'}{' '}
        {key.status === 'revoked' && <Badge>revoked</Badge>}
      </>
    ),
  }));
  return (
    <Breakdown by="key" parts={parts} total={key_count} currency={currency} onMore={onMore}>
      Change vs. previous period, in counted requests.
    </Breakdown>
  );
}

export function ModelBreakdown({ report: { models, currency } }: { report: UsageReport }) {
  const parts = models.map((each) => ({ ...each, id: each.model ?? '', name: each.model ?? 'Unknown' }));
  return (
    <Breakdown by="model" parts={parts} total={parts.length} currency={currency}>
      {models.some(({ model }) => model === null) &&
        'Unknown: requests that failed before they named a served model.'}
    </Breakdown>
  );
}

interface Props {
  by: 'key' | 'model';
  parts: readonly Part[];
  /** How many there are, of which some may not be loaded. */
  total: number;
  /** Null: nothing has a price. */
  currency: string | null;
  onMore?: (count: number) => void;
  /** A note below the table. */
  children: ReactNode;
}

function Breakdown({ by, parts, total, currency, onMore, children }: Props) {
  const [sort, setSort] = useState('-counted');
  const [count, setCount] = useState(rowsAtOnce);
  const [some] = parts;
  if (!some) return <Empty title={`No ${by} was used in this period.`} />;
  const figures = (Object.keys(titles) as Figure[]).filter(
    (figure) => figure in some && (figure !== 'cost' || currency !== null),
  );
  const order = sort.replace('-', '') as Figure | 'name';
  const sign = sort.startsWith('-') ? -1 : 1;
  const compare = (a: Part, b: Part): number =>
    order === 'name' ? a.name.localeCompare(b.name) : (a[order] ?? 0) - (b[order] ?? 0);
  const shown = parts.toSorted((a, b) => sign * compare(a, b)).slice(0, count);
  return (
    <div className="grid grid-cols-1 gap-3">
      <Table
        caption={`Usage by ${by}`}
        columns={[
          { name: by === 'key' ? 'Key' : 'Model', order: 'name' },
          ...figures.map((figure) => ({
            name: figure === 'cost' ? `Cost (${currency})` : titles[figure],
            order: figure,
            numeric: true,
          })),
        ]}
        sort={sort}
        onSort={setSort}
        rows={shown.map((part) =>
          row(
            part.id,
            <RowName name={part.name} more={part.more} />,
            ...figures.map((figure) => cellOf(figure, part)),
          ),
        )}
      />
      {total > count && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            onClick={() => {
              setCount(count + 4 * rowsAtOnce);
              onMore?.(count + 4 * rowsAtOnce);
            }}
          >
            Show more
          </Button>
          <span className="text-muted">
            {formatCount(shown.length)} of {formatCount(total)} {by}s
          </span>
        </div>
      )}
      {children && <p className="text-muted">{children}</p>}
    </div>
  );
}

function cellOf(figure: Figure, part: Part): ReactNode {
  const value = part[figure] ?? null;
  if (value === null) return '–';
  if (figure === 'texts' || figure === 'tokens') {
    const counted = part[`counted_${figure}`] ?? value;
    return (
      <>
        {formatCount(value)}
        {counted !== value && <span className="block text-muted">{formatCount(counted)} counted</span>}
      </>
    );
  }
  if (figure === 'cost') return formatAmount(value, figure);
  if (figure === 'share') return <ShareBar share={value} />;
  return figure === 'trend' ? formatChange(value) : formatCount(value);
}
