import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../../api/members.ts';
import type { UsageReport } from '../../../api/usage.ts';
import { formatChange, formatCount, formatShare } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Cell, Table } from '../../../ui/table.tsx';

const head = ['Key', 'Counted', 'Share', 'Trend', 'Cached', 'Failed', 'Tokens'];

export function KeyBreakdown({ report: { org_id: orgId, keys } }: { report: UsageReport }) {
  const { data: members } = useQuery(membersQuery(orgId));
  if (keys.length === 0) return <Empty title="No key was used in this period." />;
  /** Requests of the playground stand under the user's id. */
  const personOf = (id: string): string => members?.find(({ user_id }) => user_id === id)?.name ?? id;
  return (
    <>
      <Table caption="Usage by key" head={head} numeric={[1, 2, 3, 4, 5, 6]}>
        {keys.map(({ key_id, name, hint, status, counted, share, trend, cached, failed, tokens }) => (
          <tr key={key_id}>
            <Cell>
              <span className="block max-w-48 truncate font-medium">{name ?? personOf(key_id)}</span>
              <span className="block text-muted">
                {hint ? <code>{hint}</code> : 'playground'} {status === 'revoked' && <Badge>revoked</Badge>}
              </span>
            </Cell>
            <Cell numeric>{formatCount(counted)}</Cell>
            <Cell numeric>{share === null ? '–' : formatShare(share)}</Cell>
            <Cell numeric>{trend === null ? '–' : formatChange(trend)}</Cell>
            <Cell numeric>{formatCount(cached)}</Cell>
            <Cell numeric>{formatCount(failed)}</Cell>
            <Cell numeric>{formatCount(tokens)}</Cell>
          </tr>
        ))}
      </Table>
      <p className="pt-3 text-muted">Trend: counted requests against as many days before.</p>
    </>
  );
}
