import { useMutation } from '@tanstack/react-query';
import { type AlertDelivery, allDeliveriesOf, resendDelivery } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatMoment } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { deliveryLooks, deliveryTypes, progressOf } from './delivery-text.ts';

interface Props {
  orgId: string;
  delivery: AlertDelivery;
  address: string;
  mayResend: boolean;
  onClose: () => void;
}

/** One delivery, with exactly what was sent. */
export function DeliveryDialog({ orgId, delivery, address, mayResend, onClose }: Props) {
  const resend = useMutation({
    mutationFn: () => resendDelivery(orgId, delivery.delivery_id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(allDeliveriesOf(orgId));
      onClose();
    },
  });
  const { type, status, last_outcome, last_attempt_at, created_at, message_id, message } = delivery;
  const details = {
    To: address,
    Created: formatMoment(created_at),
    'Last attempt': last_attempt_at ? formatMoment(last_attempt_at) : 'None',
    Outcome: [last_outcome, progressOf(delivery)].filter(Boolean).join('; '),
    'Message id': message_id,
  };
  return (
    <Dialog title={deliveryTypes[type]} open onOpenChange={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">Status</dt>
        <dd>
          <Badge look={deliveryLooks[status]}>{status}</Badge>
        </dd>
        {Object.entries(details).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <CodeBlock label="Message" text={JSON.stringify(message, null, 2)} className="max-h-64" />
      <Problem error={resend.error} />
      <div className="flex justify-end gap-2">
        {mayResend && (
          <Button pending={resend.isPending} onClick={() => resend.mutate()}>
            Send again
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
