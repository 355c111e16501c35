interface Props {
  legend: string;
  hint: string;
  /** The label of each value. */
  options: Readonly<Record<string, string>>;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** A group of checkboxes. */
export function Choices({ legend, hint, options, chosen, onChange }: Props) {
  return (
    <fieldset className="grid content-start gap-1">
      <legend className="font-medium">{legend}</legend>
      <p className="text-muted">{hint}</p>
      {Object.entries(options).map(([value, label]) => (
        <label key={value} className="flex min-h-7 items-center gap-2 wrap-anywhere pointer-coarse:min-h-10">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
