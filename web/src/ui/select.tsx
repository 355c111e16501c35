import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'select'> {
  /** The name of the choice, if no label has it. */
  'aria-label': string;
}

/** For use in a table or beside a title. A native select works with every keyboard, screen reader and phone. */
export function Select(props: Props) {
  return (
    <select
      {...props}
      className="min-h-8 max-w-full rounded-md border border-edge bg-surface px-2 pointer-coarse:min-h-10 disabled:opacity-60 sm:max-w-64"
    />
  );
}
