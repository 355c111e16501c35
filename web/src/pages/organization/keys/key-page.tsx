import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronRight, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { allKeysOf, changeKey, type KeyDetails, keyQuery } from '../../../api/keys.ts';
import { isStatus } from '../../../api/problem.ts';
import { requestsQuery } from '../../../api/requests.ts';
import { lastDays, usageQuery } from '../../../api/usage.ts';
import { useSave } from '../../../api/use-save.ts';
import { kinds } from '../../../charts/series.ts';
import { TimeChart } from '../../../charts/time-chart.tsx';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { capitalized, formatAgo, formatCount, formatEndMoment, formatMoment } from '../../../lib/format.ts';
import { currentName, formatPeriod } from '../../../lib/months.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyValue } from '../../../ui/copy.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { SkeletonBlock, SkeletonRows } from '../../../ui/skeleton.tsx';
import { NotFound } from '../../not-found.tsx';
import { formatUnits } from '../limits/limit-text.ts';
import { Limits } from '../limits/limits.tsx';
import { RequestTable } from '../requests/request-table.tsx';
import { KeyAction, type KeyIntent } from './key-action.tsx';
import { formatExpiry, keyStatus, statusLooks } from './key-status.ts';
import { useKeyRights } from './use-key-rights.ts';

const route = getRouteApi('/signed-in/organizations/$orgId/keys/$keyId');
const shownRequests = 20;

export default function KeyPage() {
  const { orgId, keyId } = route.useParams();
  const query = useQuery(keyQuery(orgId, keyId));
  if (isStatus(query.error, 404)) return <NotFound />;
  return (
    <Loaded query={query} placeholder={<SkeletonBlock height={30} />}>
      {(key) => <Shown apiKey={key} />}
    </Loaded>
  );
}

function Shown({ apiKey }: { apiKey: KeyDetails }) {
  const { org_id: orgId, key_id: keyId, name, hint, expires_at, last_used_at, default_model } = apiKey;
  const nowMs = useNow(1_000);
  const { mayChange, mayRevoke } = useKeyRights();
  const usage = useQuery(usageQuery(orgId, lastDays, keyId));
  const requests = useInfiniteQuery({
    ...requestsQuery(orgId, { key_id: keyId }, shownRequests),
    placeholderData: keepPreviousData,
  });
  const resume = useSave(() => changeKey(apiKey, { enabled: true }), [allKeysOf(orgId)]);
  const [does, setDoes] = useState<KeyIntent['does'] | null>(null);
  const status = keyStatus(apiKey, nowMs);
  return (
    <OrganizationPage
      title={name}
      before={
        <>
          <Link to="/organizations/$orgId/keys" params={{ orgId }} className="text-muted hover:text-ink">
            Keys
          </Link>
          <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
        </>
      }
      actions={
        mayRevoke(apiKey) && (
          <>
            {mayChange(apiKey) && <Button onClick={() => setDoes('edit')}>Edit</Button>}
            {mayChange(apiKey) && apiKey.enabled && (
              <>
                <Button onClick={() => setDoes('pause')}>Pause</Button>
                <Button onClick={() => setDoes('rotate')}>
                  <RotateCw aria-hidden />
                  Rotate
                </Button>
                <Button onClick={() => setDoes('hand over')}>Hand over</Button>
              </>
            )}
            {mayChange(apiKey) && !apiKey.enabled && (
              <Button pending={resume.isPending} onClick={() => resume.mutate()}>
                Resume
              </Button>
            )}
            <Button look="danger" onClick={() => setDoes('revoke')}>
              Revoke
            </Button>
          </>
        )
      }
    >
      <Problem error={resume.error} />
      <div className="grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-[20rem_1fr]">
        <Facts
          facts={{
            Status: <Badge look={statusLooks[status]}>{capitalized(status)}</Badge>,
            Key: <code className="font-mono text-xs">{hint}</code>,
            'Key ID': <CopyValue value={keyId} name="key ID" />,
            'Last used': last_used_at ? formatAgo(last_used_at, nowMs) : 'Never',
            Expires: <span title={formatEndMoment(expires_at)}>{formatExpiry(expires_at)}</span>,
            Created: `${formatMoment(apiKey.created_at)} by ${apiKey.user_name ?? apiKey.user_id ?? 'a program'}`,
            Scopes: apiKey.scopes.join(', ') || 'None',
            Models: apiKey.models === null ? 'All' : apiKey.models.join(', ') || 'None',
            Networks: apiKey.networks === null ? 'All' : apiKey.networks.join(', ') || 'None',
            'Default model': default_model,
            Rotations: apiKey.lineage.length > 1 ? <Lineage apiKey={apiKey} /> : null,
          }}
        />
        <Card title="Last 30 days">
          <Loaded query={usage} placeholder={<SkeletonBlock height={18} />}>
            {(report) =>
              report.totals.counted + report.totals.cached + report.totals.failed === 0 ? (
                <Empty title="This key was not used in the last 30 days." />
              ) : (
                <>
                  <p className="font-semibold text-lg tabular-nums">
                    {formatUnits(report.totals.counted + report.totals.cached, 'requests')}
                  </p>
                  <TimeChart
                    label="Requests by period (UTC): counted, cached and failed"
                    zone="UTC"
                    series={kinds}
                    height={220}
                    periods={report.series.map(({ period, counted, cached, failed }) => ({
                      key: period,
                      name: formatPeriod(period),
                      values: { counted, cached, failed },
                    }))}
                    current={currentName(report.by, report.to)}
                    format={formatCount}
                  />
                </>
              )
            }
          </Loaded>
        </Card>
      </div>
      <Card
        title="Last requests"
        actions={
          <Link
            to="/organizations/$orgId/requests"
            params={{ orgId }}
            search={{ key: keyId }}
            className="py-1 text-accent underline"
          >
            All requests of this key
          </Link>
        }
      >
        <Loaded query={requests} placeholder={<SkeletonRows rows={5} />}>
          {({ pages }) => (
            <RequestTable requests={pages[0]?.data ?? []} isOfKey>
              <Empty
                title={
                  pages[0]?.enabled === false
                    ? 'The request log is off (REQUEST_LOG=off).'
                    : 'No requests in the log.'
                }
              />
            </RequestTable>
          )}
        </Loaded>
      </Card>
      {/* Not before the requests, which would move them. */}
      {!requests.isPending && (
        <Limits
          of={{ key_id: apiKey.key_id }}
          name={`the key “${apiKey.name}”`}
          description="They apply beside the limits of the organization and of the member who created the key. Keys that replace this one by rotation share them."
        />
      )}
      {does && <KeyAction intent={{ does, keys: [apiKey] }} onClose={() => setDoes(null)} />}
    </OrganizationPage>
  );
}

/** The keys that this one replaced, and those that replaced it, oldest first. */
function Lineage({ apiKey: { org_id: orgId, lineage } }: { apiKey: KeyDetails }) {
  return (
    <ol className="flex flex-wrap items-center gap-x-1.5">
      {lineage.map(({ key_id, hint, created_at }, place) => (
        <li key={key_id} className="flex items-center gap-1.5">
          {place > 0 && <span aria-hidden>→</span>}
          <Link
            to="/organizations/$orgId/keys/$keyId"
            params={{ orgId, keyId: key_id }}
            title={`Created ${formatMoment(created_at)}`}
            // The router marks the link to this page.
            className="text-accent underline aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:no-underline"
          >
            <code className="font-mono text-xs">{hint}</code>
          </Link>
        </li>
      ))}
    </ol>
  );
}
