import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AlertDelivery,
  type AlertTarget,
  alertTargetsQuery,
  allDeliveriesOf,
  type DeliveryStatus,
  deliveriesQuery,
  isDue,
  resendDelivery,
} from '../../../api/alert-targets.ts';
import { useSave } from '../../../api/use-save.ts';
import { formatMoment } from '../../../lib/format.ts';
import { serviceTime } from '../../../lib/service-time.ts';
import { useOpened } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge, type BadgeLook } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Opened } from '../../../ui/opened.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Select } from '../../../ui/select.tsx';
import { actions, RowName, row, Table } from '../../../ui/table.tsx';

const statuses = { '': 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };
const types: Readonly<Record<AlertDelivery['type'], string>> = {
  'quota.threshold_reached': 'Threshold reached',
  'quota.exhaustion_projected': 'Exhaustion projected',
  'limit.threshold_reached': 'Limit threshold reached',
  'key.expires_soon': 'Key expires soon',
  'batch.completed': 'Batch completed',
  'batch.failed': 'Batch failed',
  'batch.expired': 'Batch expired',
  'batch.cancelled': 'Batch cancelled',
  test: 'Test',
};
const looks: Readonly<Record<DeliveryStatus, BadgeLook>> = {
  pending: 'warning',
  delivered: 'success',
  failed: 'danger',
};

/** The messages sent, and their results. */
export function Deliveries() {
  const { org_id: orgId } = useOrganization();
  const [status, setStatus] = useState<DeliveryStatus>();
  const query = useInfiniteQuery({
    ...deliveriesQuery(orgId, { status }),
    placeholderData: keepPreviousData,
  });
  const { data: targets } = useQuery(alertTargetsQuery(orgId));
  const [shownId, show, close] = useOpened();
  // Found again each time, so that the dialog shows the current state of the delivery.
  const listed = query.data?.rows.find(({ delivery_id }) => delivery_id === shownId);
  const other = useInfiniteQuery({
    ...deliveriesQuery(orgId, { delivery_id: shownId }),
    enabled: shownId !== undefined && !listed,
  });
  /** A deleted target has no deliveries, so only a list that is still loading lacks one. */
  const addressOf = ({ target_id }: AlertDelivery): string =>
    nameOf(targets?.find((target) => target.target_id === target_id)) ?? target_id;
  if (query.data?.rows.length === 0 && !status && !shownId)
    return <Empty title="Nothing has been sent yet." />;
  return (
    <section aria-label="Deliveries" className="grid grid-cols-1 justify-items-start gap-3">
      <Select
        aria-label="Status of the deliveries"
        options={statuses}
        value={status ?? ''}
        onChange={(value) => setStatus((value || undefined) as typeof status)}
      />
      <div className="w-full">
        <LoadMore query={query} name="deliveries">
          {(deliveries) =>
            deliveries.length === 0 ? (
              <p className="text-muted">No delivery has this status.</p>
            ) : (
              <Table
                caption="Deliveries"
                columns={['To', 'Status', 'Outcome', { name: 'Created', isExtra: true }, actions]}
                rows={deliveries.map((delivery) =>
                  row(
                    delivery.delivery_id,
                    <RowName name={addressOf(delivery)} more={types[delivery.type]} />,
                    <Badge look={looks[delivery.status]}>{delivery.status}</Badge>,
                    <span className="block sm:max-w-80" title={delivery.last_outcome ?? ''}>
                      <span className="block truncate">{delivery.last_outcome ?? '–'}</span>
                      <span className="block text-muted sm:whitespace-normal">{progressOf(delivery)}</span>
                    </span>,
                    formatMoment(delivery.created_at),
                    <Button
                      aria-label={`Show what was sent to ${addressOf(delivery)}`}
                      onClick={() => show(delivery.delivery_id)}
                    >
                      Show
                    </Button>,
                  ),
                )}
              />
            )
          }
        </LoadMore>
      </div>
      <Opened id={shownId} what="delivery" row={listed ?? other.data?.rows[0]} query={other} onClose={close}>
        {(shown) => <Delivery delivery={shown} address={addressOf(shown)} onClose={close} />}
      </Opened>
    </section>
  );
}

interface Props {
  delivery: AlertDelivery;
  address: string;
  onClose: () => void;
}

/** One delivery, with exactly what was sent. */
function Delivery({ delivery, address, onClose }: Props) {
  const { org_id: orgId, may } = useOrganization();
  const { delivery_id, type, status, last_outcome, last_attempt_at, created_at, message_id } = delivery;
  const resend = useSave(() => resendDelivery(orgId, delivery_id), [allDeliveriesOf(orgId)], onClose);
  return (
    <Dialog look="side" title={types[type]} onClose={onClose}>
      <Facts
        facts={{
          Status: <Badge look={looks[status]}>{status}</Badge>,
          To: address,
          Created: formatMoment(created_at),
          'Last attempt': last_attempt_at ? formatMoment(last_attempt_at) : 'None',
          Outcome: [last_outcome, progressOf(delivery)].filter(Boolean).join('; '),
          'Message ID': message_id,
        }}
      />
      <CodeBlock label="Message" text={JSON.stringify(delivery.message, null, 2)} />
      <Problem error={resend.error} />
      {may.includes('targets.change') && (
        <Button pending={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </Button>
      )}
    </Dialog>
  );
}

const nameOf = (target: AlertTarget | undefined) => target?.name ?? target?.address;

/** Returns how often a delivery was tried, and when it will be retried, in words. */
function progressOf(delivery: AlertDelivery): string {
  const { attempts, status, next_attempt_at } = delivery;
  if (isDue(delivery)) return 'Being sent.';
  const tried = attempts === 1 ? '1 attempt.' : `${attempts} attempts.`;
  if (status !== 'pending' || !next_attempt_at) return tried;
  const minutes = Math.max(1, Math.round((Date.parse(next_attempt_at) - serviceTime()) / 60_000));
  return `${tried} Next in ${minutes} min.`;
}
