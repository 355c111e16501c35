interface Props {
  value: string;
  onChange: (value: string) => void;
  /** What is searched, such as `Search keys`. */
  label: string;
}

/** Searches a list for rows that contain a text. */
export function SearchField({ value, onChange, label }: Props) {
  return (
    <search className="min-w-0 max-sm:w-full">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={254}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-8 w-full rounded-md border border-edge bg-surface px-2.5 placeholder:text-muted pointer-coarse:min-h-10 sm:w-64"
      />
    </search>
  );
}
