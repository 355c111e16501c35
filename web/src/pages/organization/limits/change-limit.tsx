import { useMutation } from '@tanstack/react-query';
import { changeLimit, type Limit } from '../../../api/limits.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { AmountField } from './amount-field.tsx';
import { describeLimit, formatUnits } from './limit-text.ts';
import { refreshLimits } from './refresh-limits.ts';

interface Props {
  orgId: string;
  limit: Limit;
  onClose: () => void;
}

export function ChangeLimit({ orgId, limit, onClose }: Props) {
  const { limit_id: limitId, amount: current, used, unit, window, max_wait_seconds: wait } = limit;
  const change = useMutation({
    mutationFn: ({ amount }: { amount: string }) => changeLimit(orgId, limitId, Number(amount)),
    onSuccess: async () => {
      await refreshLimits(orgId);
      onClose();
    },
  });
  return (
    <Dialog
      title={`Change the limit of ${describeLimit(limit)}`}
      description="The new amount applies from the next request on. What was used stays used."
      open
      onOpenChange={onClose}
    >
      <form className="grid gap-4" onSubmit={(event) => change.mutate(formText(event, 'amount'))}>
        <AmountField
          defaultValue={current}
          hint={`Used in the current ${window}: ${formatUnits(used, unit)}. If you enter less, requests ${wait === null ? 'get 429' : 'wait'} until it ends.`}
        />
        <Problem error={change.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={change.isPending}>
            Change amount
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
