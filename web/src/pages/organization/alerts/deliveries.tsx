import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AlertDelivery,
  alertTargetsQuery,
  type DeliveryStatus,
  deliveriesQuery,
} from '../../../api/alerts.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Select } from '../../../ui/select.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryTable } from './delivery-table.tsx';

interface Props {
  orgId: string;
  mayResend: boolean;
}

const statuses = { '': 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };

/** The messages sent, and their results. */
export function Deliveries({ orgId, mayResend }: Props) {
  const [status, setStatus] = useState<DeliveryStatus>();
  const query = useInfiniteQuery({
    ...deliveriesQuery(orgId, status),
    placeholderData: keepPreviousData,
  });
  const { data: targets } = useQuery(alertTargetsQuery(orgId));
  const [shownId, show] = useState<string | null>(null);
  /** A deleted target has no deliveries, so only a list that is still loading lacks one. */
  const addressOf = ({ target_id }: AlertDelivery): string =>
    targets?.find((target) => target.target_id === target_id)?.address ?? target_id;
  return (
    <Card title="Deliveries">
      <Loaded query={query} placeholder={<SkeletonRows rows={2} />}>
        {(deliveries) => {
          if (deliveries.length === 0 && !status) return <Empty title="Nothing has been sent yet." />;
          // Found again each time, so that the dialog shows the current state of the delivery.
          const shown = deliveries.find(({ delivery_id }) => delivery_id === shownId);
          return (
            <>
              <Select
                aria-label="Status of the deliveries"
                value={status ?? ''}
                onChange={({ target: { value } }) => setStatus((value || undefined) as typeof status)}
              >
                {Object.entries(statuses).map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </Select>
              <LoadMore query={query} rows={deliveries} name="deliveries">
                {deliveries.length === 0 ? (
                  <p className="pt-4 text-muted">No delivery has this status.</p>
                ) : (
                  <DeliveryTable
                    deliveries={deliveries}
                    addressOf={addressOf}
                    onShow={({ delivery_id }) => show(delivery_id)}
                  />
                )}
              </LoadMore>
              {shown && (
                <DeliveryDialog
                  orgId={orgId}
                  delivery={shown}
                  address={addressOf(shown)}
                  mayResend={mayResend}
                  onClose={() => show(null)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
