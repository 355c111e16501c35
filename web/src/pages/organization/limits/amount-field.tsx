import { TextField } from '../../../ui/field.tsx';

const maxAmount = 1_000_000_000_000;

interface Props {
  hint: string;
  defaultValue?: number;
}

export function AmountField({ hint, defaultValue }: Props) {
  return (
    <TextField
      label="Amount"
      name="amount"
      type="number"
      min={1}
      max={maxAmount}
      step={1}
      required
      defaultValue={defaultValue}
      hint={hint}
    />
  );
}
