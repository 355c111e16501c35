import { useMutation } from '@tanstack/react-query';
import { type Delivery, deliveriesQuery, resend } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatMoment } from '../../../lib/format.ts';
import { Badge, type BadgeLook } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Cell, Table } from '../../../ui/table.tsx';

const looks: Readonly<Record<Delivery['status'], BadgeLook>> = {
  pending: 'warning',
  delivered: 'success',
  failed: 'danger',
};

interface Props {
  orgId: string;
  deliveries: readonly Delivery[];
  mayResend: boolean;
}

export function DeliveryTable({ orgId, deliveries, mayResend }: Props) {
  const again = useMutation({
    mutationFn: (deliveryId: string) => resend(orgId, deliveryId),
    onSettled: () => queryClient.invalidateQueries(deliveriesQuery(orgId)),
  });
  if (deliveries.length === 0) return <p className="text-muted">Nothing has been sent yet.</p>;
  return (
    <div className="grid gap-4">
      <Problem error={again.error} />
      <Table
        caption="Deliveries"
        head={['Time', 'To', 'About', 'Status', 'Attempts', ...(mayResend ? ['Actions'] : [])]}
      >
        {deliveries.map(({ delivery_id, created_at, address, subject, status, attempts, detail }) => (
          <tr key={delivery_id}>
            <Cell>{formatMoment(created_at)}</Cell>
            <Cell>
              <span className="block max-w-56 truncate">{address}</span>
            </Cell>
            <Cell>{subject}</Cell>
            <Cell>
              <Badge look={looks[status]}>{status}</Badge>
              {detail && <span className="block max-w-48 truncate text-muted">{detail}</span>}
            </Cell>
            <Cell>{attempts}</Cell>
            {mayResend && (
              <Cell>
                <Button aria-label={`Send again to ${address}`} onClick={() => again.mutate(delivery_id)}>
                  Send again
                </Button>
              </Cell>
            )}
          </tr>
        ))}
      </Table>
    </div>
  );
}
