import { useState } from 'react';
import {
  allLimitsOf,
  changeLimit,
  createLimit,
  type Limit,
  type LimitScope,
  type NewLimit,
  removeLimit,
} from '../../../api/limits.ts';
import { keyOf } from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import { isRate } from '../../../lib/quota.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { describeLimit, formatUnits, millionth, units, windowNames } from './limit-text.ts';

type Window = NonNullable<NewLimit['window']>;

/** The chosen action, and its limit. */
export type LimitIntent =
  | { readonly does: 'add' }
  | { readonly does: 'change' | 'remove'; readonly limit: Limit };

interface Props {
  /** What the limits belong to, with its name within a sentence. */
  scope: LimitScope & { readonly name: string };
  intent: LimitIntent;
  onClose: () => void;
}

/** The dialog of the chosen action. */
export function LimitAction({ intent, ...rest }: Props) {
  if (intent.does === 'add') return <AddLimit {...rest} />;
  const Action = intent.does === 'change' ? ChangeLimit : RemoveLimit;
  return <Action limit={intent.limit} {...rest} />;
}

type ActionProps = Omit<Props, 'intent'>;

/** Changes a limit. The usage reports list the limits too. */
const useLimitChange = <Values,>(
  change: (values: Values) => Promise<unknown>,
  { scope: { orgId }, onClose }: ActionProps,
) => useSave(change, [allLimitsOf(orgId), keyOf(orgId, 'usage')], onClose);

const maxWaitSeconds = 60;

function AddLimit(props: ActionProps) {
  const { scope, onClose } = props;
  const [unit, chooseUnit] = useState<NewLimit['unit']>('requests');
  const [chosenWindow, chooseWindow] = useState<Window>('day');
  const isAtOnce = unit === 'requests_at_once';
  const mayWait = isAtOnce || isRate({ window: chosenWindow });
  const add = useLimitChange(
    ({ unit, window, amount, max_wait_seconds: wait }: Record<keyof NewLimit, string>) =>
      createLimit(scope, {
        unit: unit as NewLimit['unit'],
        window: isAtOnce ? null : (window as Window),
        amount: countOf(amount, unit as NewLimit['unit']),
        max_wait_seconds: wait === '' ? null : Number(wait),
      }),
    props,
  );
  return (
    <FormDialog
      title="Add a limit"
      description={`It applies to ${scope.name} beside all other limits, and starts at zero.`}
      names={['unit', 'window', 'amount', 'max_wait_seconds']}
      action="Add limit"
      change={add}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 items-start gap-4">
        <SelectField
          label="Counts"
          name="unit"
          options={units}
          value={unit}
          onChange={(event) => chooseUnit(event.target.value as NewLimit['unit'])}
        />
        {!isAtOnce && (
          <SelectField
            label="Resets"
            name="window"
            options={windowNames('Each')}
            value={chosenWindow}
            onChange={(event) => chooseWindow(event.target.value as Window)}
          />
        )}
      </div>
      <AmountField unit={unit} hint="Requests from the cache don’t count." />
      {mayWait && (
        <TextField
          label="Longest wait in seconds"
          name="max_wait_seconds"
          type="number"
          min={1}
          max={maxWaitSeconds}
          step={1}
          placeholder="No wait"
          hint="Requests above the limit wait up to this long. If you leave it empty, they get 429 at once."
        />
      )}
    </FormDialog>
  );
}

function ChangeLimit({ limit, ...props }: ActionProps & { limit: Limit }) {
  const { limit_id: limitId, amount: current, used, unit, window, max_wait_seconds: wait } = limit;
  const [before] = useState(current);
  const change = useLimitChange(
    async ({ amount }: { amount: string }) =>
      countOf(amount, unit) !== before && changeLimit(props.scope.orgId, limitId, countOf(amount, unit)),
    props,
  );
  return (
    <FormDialog
      title={`Change the limit of ${describeLimit(limit)}`}
      description="What was used stays used."
      names={['amount']}
      action="Change amount"
      change={change}
      onClose={props.onClose}
    >
      <AmountField
        unit={unit}
        defaultValue={before}
        hint={`Used ${window === null ? 'now' : `in the current ${window}`}: ${formatUnits(used, unit)}. If you enter less, requests ${wait === null ? 'get 429' : 'wait'} until it ends.`}
      />
    </FormDialog>
  );
}

interface AmountProps {
  unit: Limit['unit'];
  hint: string;
  defaultValue?: number;
}

/** People write a cost in the currency, and the service counts its millionths. */
const stepOf = (unit: Limit['unit']): number => (unit === 'cost' ? millionth : 1);

const countOf = (amount: string, unit: Limit['unit']): number => Math.round(Number(amount) / stepOf(unit));

function AmountField({ unit, hint, defaultValue }: AmountProps) {
  const step = stepOf(unit);
  return (
    <TextField
      label="Amount"
      name="amount"
      type="number"
      min={step}
      max={1_000_000_000_000 * step}
      step={step}
      required
      defaultValue={defaultValue && Number((defaultValue * step).toFixed(6))}
      hint={hint}
    />
  );
}

function RemoveLimit({ limit, ...props }: ActionProps & { limit: Limit }) {
  const remove = useLimitChange<void>(() => removeLimit(props.scope.orgId, limit.limit_id), props);
  return (
    <Confirm
      title={`Remove the limit of ${describeLimit(limit)}?`}
      description="The quota and other limits stay."
      action="Remove"
      change={remove}
      onClose={props.onClose}
    />
  );
}
