import type { AlertDelivery } from '../../../api/alerts.ts';
import { formatMoment } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { actions, RowName, Table } from '../../../ui/table.tsx';
import { deliveryLooks, deliveryTypes, progressOf } from './delivery-text.ts';

interface Props {
  deliveries: readonly AlertDelivery[];
  addressOf: (delivery: AlertDelivery) => string;
  onShow: (delivery: AlertDelivery) => void;
}

export function DeliveryTable({ deliveries, addressOf, onShow }: Props) {
  return (
    <Table
      caption="Deliveries"
      columns={['To', 'Status', 'Outcome', 'Created', actions]}
      rows={deliveries.map((delivery) => ({
        key: delivery.delivery_id,
        cells: [
          <RowName key="to" name={addressOf(delivery)} more={deliveryTypes[delivery.type]} />,
          <Badge key="status" look={deliveryLooks[delivery.status]}>
            {delivery.status}
          </Badge>,
          <span key="outcome" className="block sm:max-w-56" title={delivery.last_outcome ?? ''}>
            <span className="block truncate">{delivery.last_outcome ?? '–'}</span>
            <span className="block text-muted sm:whitespace-normal">{progressOf(delivery)}</span>
          </span>,
          formatMoment(delivery.created_at),
          <Button
            key="actions"
            aria-label={`Show what was sent to ${addressOf(delivery)}`}
            onClick={() => onShow(delivery)}
          >
            Show
          </Button>,
        ],
      }))}
    />
  );
}
