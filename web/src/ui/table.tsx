import type { ReactNode } from 'react';

interface Props {
  /** What the rows are, for those who do not see it. */
  caption: string;
  head: readonly string[];
  /** Columns of figures, by their place. */
  numeric?: readonly number[];
  children: ReactNode;
}

/** Scrolls sideways where it is wider than the window. */
export function Table({ caption, head, numeric = [], children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
    <section className="-mx-4 overflow-x-auto" aria-label={`${caption}, table`} tabIndex={0}>
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted">
            {head.map((name, column) => (
              <th
                key={name}
                scope="col"
                className={`px-4 py-2 font-medium whitespace-nowrap ${numeric.includes(column) ? 'text-right' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  );
}

export function Cell({ numeric = false, children }: { numeric?: boolean; children: ReactNode }) {
  return (
    <td className={`px-4 py-2.5 whitespace-nowrap ${numeric ? 'text-right tabular-nums' : ''}`}>
      {children}
    </td>
  );
}
