interface Props {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Turns something on and off at once. */
export function Switch({ label, checked, onChange }: Props) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="peer sr-only"
      />
      <span
        aria-hidden
        className="h-4 w-7 shrink-0 rounded-full border border-transparent bg-edge p-px transition-colors peer-checked:bg-accent peer-checked:[&>span]:translate-x-3 forced-colors:peer-checked:bg-chosen"
      >
        {/* High contrast draws borders only. */}
        <span className="block size-3 rounded-full border-6 border-page transition-transform" />
      </span>
      {label}
    </label>
  );
}
