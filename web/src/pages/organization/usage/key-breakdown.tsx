import type { UsageReport } from '../../../api/usage.ts';
import { formatChange, formatCount } from '../../../lib/format.ts';
import { type KeyShare, useKeyName } from '../../../lib/use-person-name.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ShareBar } from '../../../ui/bar.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { type Row, RowName, row, Table } from '../../../ui/table.tsx';

const figures = ['Counted', 'Share', 'Change', 'Cached', 'Failed', 'Tokens'];
const columns = ['Key', ...figures.map((name) => ({ name, numeric: true }))];

export function KeyBreakdown({ report: { keys } }: { report: UsageReport }) {
  const nameOf = useKeyName(keys);
  if (keys.length === 0) return <Empty title="No key was used in this period." />;
  return (
    <>
      <ShowMore items={keys} name="keys">
        {(shown) => (
          <Table
            caption="Usage by key"
            columns={columns}
            rows={shown.map((key) => rowOf(key, nameOf(key)))}
          />
        )}
      </ShowMore>
      <p className="pt-3 text-muted">Change vs. previous period, in counted requests.</p>
    </>
  );
}

function rowOf(key: KeyShare, name: string): Row {
  const { key_id, hint, status, counted, share, trend, cached, failed, tokens } = key;
  const more = (
    <>
      {hint ? <code>{hint}</code> : 'playground'} {status === 'revoked' && <Badge>revoked</Badge>}
    </>
  );
  return row(
    key_id,
    <RowName name={name} more={more} />,
    formatCount(counted),
    share === null ? '–' : <ShareBar share={share} />,
    trend === null ? '–' : formatChange(trend),
    ...[cached, failed, tokens].map(formatCount),
  );
}
