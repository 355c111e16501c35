import { useMutation } from '@tanstack/react-query';
import { createLimit, type LimitScope, type NewLimit } from '../../../api/limits.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { AmountField } from './amount-field.tsx';
import { units, windows } from './limit-text.ts';
import { refreshLimits } from './refresh-limits.ts';

interface Props {
  scope: LimitScope;
  scopeName: string;
  onClose: () => void;
}

export function AddLimit({ scope, scopeName, onClose }: Props) {
  const add = useMutation({
    mutationFn: ({ unit, window, amount }: Record<keyof NewLimit, string>) =>
      createLimit(scope, {
        unit: unit as NewLimit['unit'],
        window: window as NewLimit['window'],
        amount: Number(amount),
      }),
    onSuccess: async () => {
      await refreshLimits(scope.orgId);
      onClose();
    },
  });
  return (
    <Dialog
      title="Add a limit"
      description={`It applies to ${scopeName} from the next request on, beside all other limits, and starts at zero. Requests above it get 429 until it resets.`}
      open
      onOpenChange={onClose}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => add.mutate(formText(event, 'unit', 'window', 'amount'))}
      >
        <div className="grid grid-cols-2 items-start gap-4">
          <SelectField label="Counts" name="unit" options={units} />
          <SelectField label="Resets" name="window" options={windows} defaultValue="day" />
        </div>
        <AmountField hint="Requests, texts and tokens from the cache don’t count." />
        <Problem error={add.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={add.isPending}>
            Add limit
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
