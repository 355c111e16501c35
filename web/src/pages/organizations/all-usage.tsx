import { useInfiniteQuery } from '@tanstack/react-query';
import { isStatus } from '../../api/problem.ts';
import { allUsageQuery } from '../../api/usage.ts';
import { formatMonth, monthBefore } from '../../lib/months.ts';
import { serviceTime } from '../../lib/service-time.ts';
import { useAddress } from '../../lib/use-address.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { RowName, row, Table } from '../../ui/table.tsx';
import { NotFound } from '../not-found.tsx';
import { formatAmount } from '../organization/limits/limit-text.ts';

const figures = {
  counted: 'Counted',
  counted_texts: 'Counted texts',
  counted_tokens: 'Counted tokens',
  cost: 'Cost',
} as const;

/** What each organization has used in a month, for administrators. */
export default function AllUsage() {
  const [search, change] = useAddress();
  const months = Array.from({ length: 12 }, (_, back) => monthBefore(serviceTime(), back));
  const month = search.period ?? months[0]!;
  const query = useInfiniteQuery(allUsageQuery(month));
  if (isStatus(query.error, 403)) return <NotFound />;
  return (
    <Page
      title="Totals"
      actions={
        <Select
          aria-label="Month"
          options={Object.fromEntries(
            [...new Set([month, ...months])].map((each) => [each, formatMonth(each)]),
          )}
          value={month}
          onChange={(period) => change({ period })}
        />
      }
    >
      <LoadMore query={query} name="organizations" rows={10}>
        {(rows) => (
          <Table
            caption={`Usage in ${formatMonth(month)}`}
            columns={['Organization', ...Object.values(figures).map((name) => ({ name, numeric: true }))]}
            rows={rows.map((usage) =>
              row(
                usage.org_id,
                <RowName name={usage.name} to={`/organizations/${usage.org_id}/usage`} />,
                ...(Object.keys(figures) as (keyof typeof figures)[]).map((figure) =>
                  formatAmount(usage[figure], figure === 'cost' ? figure : 'requests'),
                ),
              ),
            )}
          />
        )}
      </LoadMore>
    </Page>
  );
}
