import type { ComponentProps } from 'react';

interface Props extends Omit<ComponentProps<'select'>, 'onChange'> {
  /** The label of each value. */
  options: Readonly<Partial<Record<string, string>>>;
  /** The name of the choice, if no label has it. */
  'aria-label': string;
  onChange: (value: string) => void;
}

/**
 * The options of a native select, also one that the address names and the list doesn't have. The empty one is first.
 */
export function Options({ options, value }: Pick<Props, 'options' | 'value'>) {
  const all =
    typeof value === 'string' && !Object.hasOwn(options, value) ? { ...options, [value]: value } : options;
  // An object has its keys that are numbers first.
  const inOrder = Object.entries(all).sort(([a], [b]) => Number(b === '') - Number(a === ''));
  return inOrder.map(([each, name]) => (
    <option key={each} value={each}>
      {name}
    </option>
  ));
}

/** For use in a table or beside a title. A native select works with every keyboard, screen reader and phone. */
export function Select({ options, onChange, ...select }: Props) {
  return (
    <>
      <span className="hidden print:inline">
        {Object.hasOwn(options, `${select.value}`) && options[`${select.value}`]}
      </span>
      <select
        {...select}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-8 max-w-full rounded-md border border-edge bg-surface px-2 pointer-coarse:min-h-10 disabled:opacity-60 sm:max-w-64"
      >
        <Options options={options} value={select.value} />
      </select>
    </>
  );
}
