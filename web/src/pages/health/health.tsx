import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isStatus } from '../../api/problem.ts';
import { foundRequestsQuery, type ServiceFigure, serviceQuery } from '../../api/service.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { formatAgo, formatBytes, formatCount, formatCountdown, formatLatency } from '../../lib/format.ts';
import { useAddress } from '../../lib/use-address.ts';
import { useTypedSearch } from '../../lib/use-list-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { RowName, row, Table } from '../../ui/table.tsx';
import { NotFound } from '../not-found.tsx';

/** How the service is, for its administrators: figures, each with the name of its metric for an alarm. */
export default function Health() {
  const query = useQuery(serviceQuery);
  if (isStatus(query.error, 403)) return <NotFound />;
  return (
    <Page title="Health">
      <Loaded query={query} placeholder={<SkeletonRows rows={12} />}>
        {({ data: service, busiest }) => (
          <>
            <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 wide:grid-cols-4">
              {service.map(
                (figure) =>
                  figure.hour && (
                    <li key={figure.name} className="grid gap-2 rounded-lg border border-line p-4">
                      <h2 className="text-muted">{names[figure.name]}</h2>
                      <Sparkline values={figure.hour.map(Number)} width={120} look="order-last ml-auto">
                        <span className="font-semibold text-xl">
                          <Value figure={figure} />
                        </span>
                      </Sparkline>
                    </li>
                  ),
              )}
            </ul>
            <Table
              caption="Health"
              columns={['What', { name: 'Now', numeric: true }, 'Metric']}
              rows={service
                .filter(({ value, hour }) => value !== null && !hour)
                .map((figure) =>
                  row(
                    figure.name,
                    <span className="font-medium">{names[figure.name] ?? figure.name}</span>,
                    <Value figure={figure} />,
                    figure.metric === null ? (
                      '–'
                    ) : (
                      <code className="block wrap-anywhere font-mono text-muted text-xs sm:w-64 sm:whitespace-normal wide:w-auto print:w-64">
                        {figure.metric}
                      </code>
                    ),
                  ),
                )}
            />
            {busiest.length > 0 && (
              <Table
                caption="Most computing time, last 5 minutes"
                columns={['Organization', { name: 'Computing time', numeric: true }]}
                rows={busiest.map(({ org_id, name, computing_ms }) =>
                  row(
                    org_id,
                    <RowName name={name ?? 'Deleted'} to={`/organizations/${org_id}/usage`} />,
                    formatLatency(computing_ms),
                  ),
                )}
              />
            )}
            <FindRequest />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Finds the organizations of a request, whose identifier a customer has sent. */
function FindRequest() {
  const [search] = useAddress();
  const [typed, type] = useTypedSearch('request');
  const { data } = useQuery(foundRequestsQuery(search.request ?? ''));
  return (
    <section aria-label="Find a request" className="grid grid-cols-1 gap-3">
      <SearchField value={typed} onChange={type} label="Find a request ID" />
      {data?.length === 0 && <Empty title="No organization has a request with this ID in its log." />}
      {data?.[0] && (
        <Table
          caption="Requests with this ID"
          columns={['Organization', 'Time', { name: 'Status', numeric: true }]}
          rows={data.map((request) =>
            row(
              request.entry_id,
              <Link
                to="/organizations/$orgId/requests"
                params={{ orgId: request.org_id }}
                search={{ request: request.request_id, open: request.request_id }}
                className="underline"
              >
                {request.org_name ?? request.org_id}
              </Link>,
              formatAgo(request.at),
              String(request.status),
            ),
          )}
        />
      )}
    </section>
  );
}

const names: Readonly<Record<string, string>> = {
  version: 'Version',
  uptime: 'Running for',
  ready: 'Accepts requests',
  not_ready: 'Waits for',
  database: 'Database',
  database_ready: 'Database responds',
  queue_texts: 'Texts in the queue',
  queue_tokens: 'Tokens in the queue',
  queue_refusals: 'Requests refused because the queue was full',
  address_refusals: 'Connections refused because their address had too many',
  workers: 'Workers',
  batches_running: 'Batches that are being computed',
  latency_p50: 'Latency of embeddings, p50, last hour',
  latency_p95: 'Latency of embeddings, p95, last hour',
  served: 'Embeddings served, last hour',
  refused: 'Embeddings refused, last hour',
  failed: 'Embeddings failed, last hour',
  cache_memory_hits: 'Texts found in the memory cache',
  cache_store_hits: 'Texts found in the stored cache',
  cache_misses: 'Texts that were not in the cache',
  cache_memory_bytes: 'Memory cache',
  usage_records_waiting: 'Usage records that wait to be stored',
  last_backup: 'Last backup',
  alert_deliveries_failed_7d: 'Alerts that could not be delivered, 7 days',
};

function Value({ figure: { value, unit } }: { figure: ServiceFigure }) {
  if (value === null) return '–';
  if (typeof value === 'boolean') {
    return <Badge look={value ? 'success' : 'danger'}>{value ? 'Yes' : 'No'}</Badge>;
  }
  if (typeof value === 'string')
    return Number.isNaN(Date.parse(value)) || !/^\d{4}-/.test(value) ? value : formatAgo(value);
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 's') return value < 60 ? formatLatency(value * 1_000) : formatCountdown(value * 1_000, 0);
  if (unit === 'ms') return formatLatency(value);
  return unit === null
    ? formatCount(value)
    : `${formatCount(value)} ${value === 1 ? singularOf(unit) : unit}`;
}

/** Returns the singular of `texts`, `batches` and `deliveries`. */
const singularOf = (unit: string): string => unit.replace(/ies$/, 'y').replace(/(ch)es$|s$/, '$1');
