import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertDelivery, alertTargetsQuery, deliveriesQuery } from '../../../api/alerts.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryTable } from './delivery-table.tsx';

interface Props {
  orgId: string;
  mayResend: boolean;
}

/** The messages sent, and their results. */
export function Deliveries({ orgId, mayResend }: Props) {
  const query = useQuery(deliveriesQuery(orgId));
  const { data: targets } = useQuery(alertTargetsQuery(orgId));
  const [shownId, show] = useState<string | null>(null);
  /** A deleted target has no deliveries, so only a list that is still loading lacks one. */
  const addressOf = ({ target_id }: AlertDelivery): string =>
    targets?.find((target) => target.target_id === target_id)?.address ?? target_id;
  return (
    <Card title="Deliveries">
      <Loaded query={query} placeholder={<SkeletonRows rows={2} />}>
        {(deliveries) => {
          if (deliveries.length === 0) return <Empty title="Nothing has been sent yet." />;
          // Found again each time, so that the dialog shows the current state of the delivery.
          const shown = deliveries.find(({ delivery_id }) => delivery_id === shownId);
          return (
            <>
              <ShowMore items={deliveries} name="deliveries" first={10}>
                {(some) => (
                  <DeliveryTable
                    deliveries={some}
                    addressOf={addressOf}
                    onShow={({ delivery_id }) => show(delivery_id)}
                  />
                )}
              </ShowMore>
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
