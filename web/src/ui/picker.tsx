import { ChevronDown } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from './button.tsx';
import type { Item } from './finder.tsx';

const Finder = lazy(() => import('./finder.tsx'));

interface Props {
  /** What is picked, such as `Key`. */
  name: string;
  /** The label of what is picked now. */
  shown: string;
  /** The choices besides `all`. */
  items: readonly Item[];
  /** Removes the choice. Listed first until someone types. */
  all: Item;
  /** The text that was typed to find one. Null: the list is closed. */
  typed: string | null;
  onType: (typed: string | null) => void;
}

/** A button that opens a list to choose from, however long it is. */
export function Picker({ name, shown, items, all, typed, onType }: Props) {
  return (
    <>
      <span className="hidden print:inline">{shown}</span>
      <Button aria-label={`${name}: ${shown}`} aria-haspopup="dialog" onClick={() => onType('')}>
        <span dir="auto" className="max-w-40 truncate font-normal">
          {shown}
        </span>
        <ChevronDown aria-hidden />
      </Button>
      <Suspense>
        {typed !== null && (
          <Finder
            name={name}
            placeholder={`Find a ${name.toLowerCase()}`}
            typed={typed}
            onType={onType}
            groups={{ [name]: typed === '' ? [all, ...items] : items }}
            onClose={() => onType(null)}
          />
        )}
      </Suspense>
    </>
  );
}
