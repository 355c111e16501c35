import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Cross } from '../../../ui/icons.tsx';

/** The API's own bound. */
const maxThresholds = 10;

/** Returns the thresholds with the typed one, ascending, or null if it is invalid. */
export function withTyped(value: readonly number[], typed: string): readonly number[] | null {
  if (typed.trim() === '') return value;
  const percent = Number(typed);
  if (!Number.isInteger(percent) || percent < 1 || percent > 100) return null;
  return [...new Set([...value, percent])].sort((a, b) => a - b);
}

interface Props {
  /** Percents, ascending. */
  value: readonly number[];
  /** The text in the field for another threshold. */
  typed: string;
  /** Whether the typed text was to be added but is invalid. */
  isRefused: boolean;
  disabled: boolean;
  onChange: (value: readonly number[]) => void;
  onType: (typed: string) => void;
  onAdd: () => void;
}

/** Percentages of the limit, each of which raises an alert. */
export function Thresholds({ value, typed, isRefused, disabled, onChange, onType, onAdd }: Props) {
  const id = useId();
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="font-medium">Thresholds</legend>
      <p className="text-muted">Each alert is sent once per window.</p>
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
          <label htmlFor={id}>Add threshold (%)</label>
          <input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            aria-invalid={isRefused || undefined}
            aria-describedby={isRefused ? `${id}-error` : undefined}
            className="min-h-9 w-20 rounded-md border border-edge bg-surface px-2.5 aria-invalid:border-danger"
            value={typed}
            onChange={(event) => onType(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Enter belongs to this field: it must not submit the form.
              event.preventDefault();
              onAdd();
            }}
          />
          <Button onClick={onAdd}>Add</Button>
          {isRefused && (
            <p id={`${id}-error`} role="alert" className="text-danger">
              Enter a whole number from 1 to 100.
            </p>
          )}
        </div>
      )}
    </fieldset>
  );
}
