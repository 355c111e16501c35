import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createLimit, type LimitScope, type NewLimit } from '../../../api/limits.ts';
import { formText } from '../../../lib/form-text.ts';
import { isRate } from '../../../lib/quota.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { AmountField } from './amount-field.tsx';
import { units, windows } from './limit-text.ts';
import { refreshLimits } from './refresh-limits.ts';

const maxWaitSeconds = 60;

interface Props {
  scope: LimitScope;
  scopeName: string;
  onClose: () => void;
}

export function AddLimit({ scope, scopeName, onClose }: Props) {
  const [chosenWindow, chooseWindow] = useState<NewLimit['window']>('day');
  const mayWait = isRate({ window: chosenWindow });
  const add = useMutation({
    mutationFn: ({ unit, window, amount, max_wait_seconds: wait }: Record<keyof NewLimit, string>) =>
      createLimit(scope, {
        unit: unit as NewLimit['unit'],
        window: window as NewLimit['window'],
        amount: Number(amount),
        max_wait_seconds: wait === '' ? null : Number(wait),
      }),
    onSuccess: async () => {
      await refreshLimits(scope.orgId);
      onClose();
    },
  });
  return (
    <Dialog
      title="Add a limit"
      description={`It applies to ${scopeName} from the next request on, beside all other limits, and starts at zero.${mayWait ? '' : ' Requests above it get 429 until it resets.'}`}
      open
      onOpenChange={onClose}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => add.mutate(formText(event, 'unit', 'window', 'amount', 'max_wait_seconds'))}
      >
        <div className="grid grid-cols-2 items-start gap-4">
          <SelectField label="Counts" name="unit" options={units} />
          <SelectField
            label="Resets"
            name="window"
            options={windows}
            value={chosenWindow}
            onChange={(event) => chooseWindow(event.target.value as NewLimit['window'])}
          />
        </div>
        <AmountField hint="Requests, texts and tokens from the cache don’t count." />
        {mayWait && (
          <TextField
            label="Longest wait in seconds"
            name="max_wait_seconds"
            type="number"
            min={1}
            max={maxWaitSeconds}
            step={1}
            placeholder="No wait"
            hint={`Requests above the limit wait up to this long for the next ${chosenWindow}. If you leave it empty, they get 429 at once.`}
          />
        )}
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
