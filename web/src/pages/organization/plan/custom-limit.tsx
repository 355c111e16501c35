import type { QuotaWindow, Tier } from '../../../api/organizations.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { units } from '../limits/limit-text.ts';
import type { Limit } from './change-tier.tsx';

const windows: Readonly<Record<QuotaWindow, string>> = {
  second: 'Per second',
  minute: 'Per minute',
  hour: 'Per hour',
  day: 'Per day',
  month: 'Per month',
};

interface Props {
  title: string;
  tier: Tier;
  current: Limit;
  onChoose: (limit: Limit) => void;
  onClose: () => void;
}

/** Asks for the limit of a plan that has one for each organization. */
export function CustomLimit({ title, tier, current, onChoose, onClose }: Props) {
  return (
    <Dialog
      title={title}
      description="Takes effect immediately. What was counted in this window stays counted."
      open
      onOpenChange={onClose}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          const { limit, window } = formText(event, 'limit', 'window');
          const hasOwn = limit !== '';
          onChoose({
            limit: hasOwn ? Number(limit) : tier.limit,
            window: hasOwn ? (window as QuotaWindow) : 'month',
            unit: tier.unit,
          });
        }}
      >
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label={units[tier.unit]}
            name="limit"
            type="number"
            min={0}
            placeholder="Unlimited"
            defaultValue={current.limit ?? ''}
          />
          <SelectField label="Window" name="window" options={windows} defaultValue={current.window} />
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Update plan
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
