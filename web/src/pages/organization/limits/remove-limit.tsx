import { useMutation } from '@tanstack/react-query';
import { type Limit, removeLimit } from '../../../api/limits.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { describeLimit } from './limit-text.ts';
import { refreshLimits } from './refresh-limits.ts';

interface Props {
  orgId: string;
  limit: Limit;
  onClose: () => void;
}

export function RemoveLimit({ orgId, limit, onClose }: Props) {
  const remove = useMutation({
    mutationFn: () => removeLimit(orgId, limit.limit_id),
    onSuccess: async () => {
      await refreshLimits(orgId);
      onClose();
    },
  });
  return (
    <Confirm
      title={`Remove the limit of ${describeLimit(limit)}?`}
      description="It no longer applies from the next request on. If you add it again, it starts at zero. The quota and other limits stay."
      action="Remove"
      open
      pending={remove.isPending}
      error={remove.error}
      onConfirm={remove.mutate}
      onCancel={onClose}
    />
  );
}
