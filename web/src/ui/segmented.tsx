import { useId } from 'react';

interface Props<Value extends string> {
  /** The name of the choice, for people who cannot see it. */
  legend: string;
  /** The label of each value. */
  options: Readonly<Partial<Record<Value, string>>>;
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few visible choices. With radio buttons, the arrow keys move from one to another. */
export function Segmented<Value extends string>({ legend, options, value, onChange }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className="flex w-fit max-w-full flex-wrap rounded-md bg-raised p-0.5">
      <legend className="sr-only">{legend}</legend>
      {(Object.keys(options) as Value[]).map((option) => (
        <label
          key={option}
          className="cursor-pointer rounded-sm px-2.5 py-0.5 text-muted pointer-coarse:py-2 hover:text-ink has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {options[option]}
        </label>
      ))}
    </fieldset>
  );
}
