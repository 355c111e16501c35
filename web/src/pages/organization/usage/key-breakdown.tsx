import type { UsageReport } from '../../../api/usage.ts';
import { Sparkline } from '../../../charts/sparkline.tsx';
import { formatCount, formatShare } from '../../../lib/format.ts';
import { Empty } from '../../../ui/empty.tsx';
import { Cell, Table } from '../../../ui/table.tsx';

const head = ['Key', 'Counted', 'Share', 'Trend', 'Cached', 'Failed', 'Tokens'];

export function KeyBreakdown({ report: { keys, totals } }: { report: UsageReport }) {
  if (keys.length === 0) return <Empty title="No key was used in this period." />;
  return (
    <Table caption="Usage by key" head={head} numeric={[1, 2, 4, 5, 6]}>
      {keys.map(({ key_id, name, trend, counted, cached, failed, tokens }) => (
        <tr key={key_id}>
          <Cell>
            <span className="block max-w-48 truncate font-medium">{name}</span>
          </Cell>
          <Cell numeric>{formatCount(counted)}</Cell>
          <Cell numeric>{formatShare(totals.counted === 0 ? 0 : counted / totals.counted)}</Cell>
          <Cell>
            <Sparkline values={trend} label={`Counted requests of ${name} over the period`} />
          </Cell>
          <Cell numeric>{formatCount(cached)}</Cell>
          <Cell numeric>{formatCount(failed)}</Cell>
          <Cell numeric>{formatCount(tokens)}</Cell>
        </tr>
      ))}
    </Table>
  );
}
