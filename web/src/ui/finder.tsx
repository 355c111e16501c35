import { Command } from 'cmdk';
import { type LucideIcon, Search } from 'lucide-react';
import { Dialog } from './dialog.tsx';

export interface Item {
  /** What the typed text is compared with, beside the label. */
  readonly words?: string;
  readonly label: string;
  readonly aside?: string | undefined;
  readonly Icon?: LucideIcon;
  readonly run: () => void;
}

interface Props {
  name: string;
  placeholder: string;
  typed: string;
  onType: (typed: string) => void;
  /** The items below each heading. */
  groups: Readonly<Record<string, readonly Item[]>>;
  onClose: () => void;
}

const groupLook =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted ' +
  '[&_[cmdk-group-heading]]:text-xs';

const isNamed = ({ label }: Item, typed: string): boolean =>
  label.toLowerCase() === typed.trim().toLowerCase();

/**
 * Returns the items that have all the words. Those whose labels are the text come first, then those that begin with
 * it.
 */
export function matching(items: readonly Item[], typed: string): readonly Item[] {
  const wanted = typed.trim().toLowerCase();
  const distance = (item: Item): number =>
    isNamed(item, typed) ? 0 : item.label.toLowerCase().startsWith(wanted) ? 1 : 2;
  const textOf = ({ label, aside = '', words = '' }: Item) => `${label} ${aside} ${words}`.toLowerCase();
  return items
    .filter((item) => wanted.split(/\s+/).every((word) => textOf(item).includes(word)))
    .sort((a, b) => distance(a) - distance(b));
}

/** Finds one of many items by a text that someone types. */
export default function Finder({ name, placeholder, typed, onType, groups, onClose }: Props) {
  return (
    <Dialog look="top" title={name} onClose={onClose}>
      <Command label={name} loop shouldFilter={false} className="grid">
        <div className="flex items-center gap-2.5 border-line border-b px-4">
          <Search aria-hidden className="size-4 shrink-0 text-muted" />
          <Command.Input
            autoFocus
            value={typed}
            onValueChange={onType}
            placeholder={placeholder}
            className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
          />
        </div>
        <Command.List className="max-h-96 overflow-y-auto p-2">
          <Command.Empty className="px-2 py-8 text-center text-muted">Nothing found.</Command.Empty>
          {Object.entries(groups)
            .map(([heading, items]) => [heading, matching(items, typed)] as const)
            .filter(([, items]) => items.length > 0)
            .sort(([, [a]], [, [b]]) => Number(isNamed(b!, typed)) - Number(isNamed(a!, typed)))
            .map(([heading, items]) => (
              <Command.Group key={heading} heading={heading} className={groupLook}>
                {items.map(({ label, words = '', aside, Icon, run }) => (
                  <Command.Item
                    key={`${label} ${words}`}
                    value={`${heading} ${label} ${words}`}
                    onSelect={() => {
                      onClose();
                      run();
                    }}
                    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-raised [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
                  >
                    {Icon && <Icon aria-hidden />}
                    <span dir="auto" className="truncate">
                      {label}
                    </span>
                    {aside && <span className="ml-auto shrink-0 text-muted text-xs">{aside}</span>}
                  </Command.Item>
                ))}
              </Command.Group>
            ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
