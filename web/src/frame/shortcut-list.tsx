import { Dialog } from '../ui/dialog.tsx';
import { organizationPages, servicePages } from './destinations.ts';

const others = [
  ['⌘ K or /', 'Search'],
  ['c', 'Create API Key'],
  ['?', 'This list'],
] as const;

/** The keys of the keyboard that do something on every page. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const pages = [...organizationPages, ...servicePages].flatMap(({ name, letter }) =>
    letter ? [[`g ${letter}`, name] as const] : [],
  );
  return (
    <Dialog look="side" title="Keyboard" onClose={onClose}>
      <dl className="grid">
        {[...others, ...pages].map(([keys, name]) => (
          <div key={keys} className="flex h-8 items-center justify-between border-line border-b">
            <dt>{name}</dt>
            <dd>
              <kbd className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
