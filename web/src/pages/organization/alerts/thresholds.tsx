import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Cross } from '../../../ui/icons.tsx';

/** The API's own bound. */
const maxThresholds = 10;

interface Props {
  /** Percents, ascending. */
  value: readonly number[];
  disabled: boolean;
  onChange: (value: readonly number[]) => void;
}

/** Percents of the limit, each of which raises an alert. */
export function Thresholds({ value, disabled, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const percent = Number(typed);
  const isAcceptable = Number.isInteger(percent) && percent >= 1 && percent <= 100;
  const add = () => {
    if (!isAcceptable) return;
    onChange([...new Set([...value, percent])].sort((a, b) => a - b));
    setTyped('');
  };
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="font-medium">Thresholds</legend>
      <p className="text-muted">Each is told once in a window. Without any, only the projection is.</p>
      <ul className="flex min-h-9 flex-wrap items-center gap-2">
        {value.map((threshold) => (
          <li key={threshold} className="flex items-center rounded-md bg-raised tabular-nums">
            <span className="px-2.5 py-1.5">{threshold}%</span>
            {!disabled && (
              <button
                type="button"
                aria-label={`Remove ${threshold}%`}
                className="grid size-8 place-items-center rounded-md text-muted hover:text-ink"
                onClick={() => onChange(value.filter((other) => other !== threshold))}
              >
                <Cross />
              </button>
            )}
          </li>
        ))}
        {value.length === 0 && <li className="text-muted">None</li>}
      </ul>
      {!disabled && value.length < maxThresholds && (
        <div className="flex flex-wrap items-center gap-2">
          <label htmlFor={id}>Another, in percent</label>
          <input
            id={id}
            type="number"
            min={1}
            max={100}
            step={1}
            className="min-h-9 w-20 rounded-md border border-field bg-surface px-2.5"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // It belongs to this field: the form is not to be sent.
              event.preventDefault();
              add();
            }}
          />
          <Button onClick={add} disabled={!isAcceptable}>
            Add
          </Button>
        </div>
      )}
    </fieldset>
  );
}
