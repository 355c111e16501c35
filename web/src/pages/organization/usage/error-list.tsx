import type { UsageReport } from '../../../api/usage.ts';
import { formatCount } from '../../../lib/format.ts';
import { Empty } from '../../../ui/empty.tsx';
import { ShareBar } from '../../../ui/share-bar.tsx';
import { Table } from '../../../ui/table.tsx';

const columns = ['Error', { name: 'Requests', numeric: true }, { name: 'Share', numeric: true }];

/** How often requests failed for each reason. */
export function ErrorList({ errors }: { errors: NonNullable<UsageReport['errors']> }) {
  const total = errors.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return <Empty title="No request was refused or failed." />;
  return (
    <Table
      caption="Errors"
      columns={columns}
      rows={errors.map(({ error, requests }) => ({
        key: error,
        cells: [
          <code key="error" className="font-mono text-xs">
            {error}
          </code>,
          formatCount(requests),
          <ShareBar key="share" share={requests / total} />,
        ],
      }))}
    />
  );
}
