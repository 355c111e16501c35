import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { histogramQuery, type LoggedRequest, requestsQuery } from '../../../api/requests.ts';
import { outcomes } from '../../../charts/series.ts';
import { TimeChart } from '../../../charts/time-chart.tsx';
import { isAtHand, useHold } from '../../../frame/live.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { formatClock, formatCount } from '../../../lib/format.ts';
import { type AddressSearch, useAddress } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Filters, filterOf } from './filters.tsx';
import { RequestTable } from './request-table.tsx';

/** Below this, the list counts as scrolled: rows that arrive would move what someone reads. */
const topPx = 80;

/** The log: metadata of the requests of the last days, never their texts. */
export default function Requests() {
  const { org_id: orgId } = useOrganization();
  const [search, changeAddress] = useAddress();
  const change = (changed: AddressSearch) => changeAddress(changed, { replace: false });
  const filter = filterOf(search);
  const list = useInfiniteQuery({ ...requestsQuery(orgId, filter), placeholderData: keepPreviousData });
  const histogram = useQuery({ ...histogramQuery(orgId, filter), placeholderData: keepPreviousData });
  const [isLive, setLive] = useState(true);
  const [hasNew, setHasNew] = useState(false);

  const refresh = () => {
    setHasNew(false);
    void list.refetch();
    void histogram.refetch();
  };
  useHold(
    useCallback(
      (areNew: boolean) => {
        const isHeld = !isLive || scrollY >= topPx || isAtHand();
        setHasNew((before) => isHeld && (before || areNew));
        return isHeld;
      },
      [isLive],
    ),
  );
  const requests = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const fresh = useFresh(requests);
  const first = list.data?.pages[0];

  return (
    <OrganizationPage
      title="Requests"
      actions={
        <Switch
          label="Live"
          checked={isLive}
          onChange={(checked) => {
            setLive(checked);
            if (checked) refresh();
          }}
        />
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Filters search={search} onChange={change} />
        <Loaded query={histogram} placeholder={<SkeletonBlock height={9} />}>
          {({ buckets, bucket_ms }) => (
            <TimeChart
              label="Requests over time, by outcome"
              height={112}
              series={outcomes}
              periods={buckets.map((bucket) => ({
                key: bucket.at,
                name: formatClock(bucket.at),
                values: { ...bucket, at: 0 } as unknown as Record<string, number>,
              }))}
              format={formatCount}
              onSelect={(from, to) =>
                change({ from: buckets[from]?.at, to: endOf(buckets[to]?.at, bucket_ms) })
              }
            />
          )}
        </Loaded>
        <div>
          {hasNew && (
            // Without a height, so that it doesn't move the rows either.
            <div className="sticky top-14 z-10 grid h-0 justify-center">
              <Button
                className="shadow-lg"
                onClick={() => {
                  scrollTo({ top: 0 });
                  refresh();
                }}
              >
                Show new requests
              </Button>
            </div>
          )}
          <LoadMore query={{ ...list, data: list.data && { rows: requests } }} name="requests" rows={10}>
            {() => (
              <RequestTable requests={requests} fresh={fresh}>
                <NoRequests isOn={first?.enabled ?? true} isFiltered={Object.keys(filter).length > 0} />
              </RequestTable>
            )}
          </LoadMore>
        </div>
        {/* Not before the rows, which would move it. */}
        {first && (
          <p className="text-muted text-xs">
            The log has metadata only, never texts or vectors. Requests are kept for {first.kept_days} days.
          </p>
        )}
      </div>
    </OrganizationPage>
  );
}

const endOf = (at: string | undefined, bucketMs: number): string | undefined =>
  at && new Date(Date.parse(at) + bucketMs).toISOString();

/** Returns the rows that were not there when the list was shown last. */
function useFresh(requests: readonly LoggedRequest[]): ReadonlySet<string> {
  const seen = useRef<ReadonlySet<string>>(new Set());
  const ids = requests.map(({ entry_id }) => entry_id);
  const known = seen.current;
  useEffect(() => {
    seen.current = new Set(ids);
  });
  return new Set(known.size === 0 ? [] : ids.filter((id) => !known.has(id)));
}

function NoRequests({ isOn, isFiltered }: { isOn: boolean; isFiltered: boolean }) {
  if (!isOn) return <Empty title="The request log is off (REQUEST_LOG=off)." />;
  if (isFiltered) return <Empty title="No request matches the filters." />;
  return (
    <Empty title="No requests yet.">They appear here within three seconds after the response was sent.</Empty>
  );
}
