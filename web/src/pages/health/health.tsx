import { useQuery } from '@tanstack/react-query';
import { isStatus } from '../../api/problem.ts';
import { type ServiceFigure, serviceQuery } from '../../api/service.ts';
import { formatAgo, formatBytes, formatCount, formatCountdown, formatLatency } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { NotFound } from '../not-found.tsx';

/** How the service is, for its administrators: figures, each with the name of its metric for an alarm. */
export default function Health() {
  const query = useQuery(serviceQuery);
  if (isStatus(query.error, 403)) return <NotFound />;
  return (
    <Page title="Health">
      <Loaded query={query} placeholder={<SkeletonRows rows={12} />}>
        {(service) => (
          <Table
            caption="Health"
            columns={['What', { name: 'Now', numeric: true }, 'Metric']}
            rows={service.map((figure) => ({
              key: figure.name,
              cells: [
                <span key="name" className="font-medium">
                  {nameOf(figure.name)}
                </span>,
                <Value key="value" figure={figure} />,
                figure.metric === null ? (
                  '–'
                ) : (
                  <code key="metric" className="font-mono text-muted text-xs">
                    {figure.metric}
                  </code>
                ),
              ],
            }))}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** Returns `Queue texts` for `queue_texts`. */
function nameOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Value({ figure: { value, unit } }: { figure: ServiceFigure }) {
  if (value === null) return <span className="text-muted">Not known</span>;
  if (typeof value === 'boolean') {
    return <Badge look={value ? 'success' : 'danger'}>{value ? 'Yes' : 'No'}</Badge>;
  }
  if (typeof value === 'string')
    return Number.isNaN(Date.parse(value)) || !/^\d{4}-/.test(value) ? value : formatAgo(value);
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 's') return value < 60 ? formatLatency(value * 1_000) : formatCountdown(value * 1_000, 0);
  if (unit === 'ms') return formatLatency(value);
  return unit === null ? formatCount(value) : `${formatCount(value)} ${unit}`;
}
