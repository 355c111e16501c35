import { Link, useSearch } from '@tanstack/react-router';

interface Props {
  /** What the tabs are parts of. */
  label: string;
  /** The name of each tab by its value. The first one is shown unless the address names another. */
  tabs: Readonly<Record<string, string>>;
  value: string;
}

/** Parts of a page of which one is shown. The address has it as `tab`. */
export function Tabs({ label, tabs, value }: Props) {
  return (
    <nav aria-label={label} className="overflow-x-auto border-line border-b">
      <ul className="flex gap-4">
        {Object.entries(tabs).map(([tab, name]) => (
          <li key={tab} className="print:not-has-[[aria-current]]:hidden">
            <Link
              to="."
              search={((before: object) => ({ ...before, tab })) as never}
              replace
              aria-current={tab === value ? 'true' : undefined}
              className="-mb-px block pt-2 pb-2.5 text-muted -outline-offset-2 hover:text-ink aria-[current]:border-accent aria-[current]:border-b-2 aria-[current]:pb-2 aria-[current]:font-medium aria-[current]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Returns the tab that the address names, or the first one. */
export function useTab<Tab extends string>(tabs: Readonly<Record<Tab, string>>): Tab {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const known = Object.keys(tabs) as Tab[];
  return known.find((each) => each === tab) ?? known[0]!;
}
