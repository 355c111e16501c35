import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'select'> {
  /** What is chosen, where no label says it. */
  'aria-label': string;
}

/** Within a table or beside a title. The browser's own: it works with every keyboard, screen reader and phone. */
export function Select(props: Props) {
  return (
    <select
      {...props}
      className="min-h-9 max-w-full rounded-md border border-field bg-surface px-2 disabled:opacity-60 sm:max-w-64"
    />
  );
}
