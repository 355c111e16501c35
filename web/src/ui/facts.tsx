import type { ReactNode } from 'react';

interface Props {
  /** The value of each fact by its name. What is null or false is left out. */
  facts: Readonly<Record<string, ReactNode>>;
}

/** Facts about one object: a name and a value in each row. */
export function Facts({ facts }: Props) {
  return (
    <dl className="grid grid-cols-1 content-start">
      {Object.entries(facts).map(([name, value]) =>
        value === null || value === false ? null : (
          <div
            key={name}
            className="grid grid-cols-[8rem_minmax(0,1fr)] items-baseline gap-3 border-line border-b py-2 last:border-b-0 max-sm:grid-cols-1 max-sm:gap-0"
          >
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
