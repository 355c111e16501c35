import { Link } from '@tanstack/react-router';

const tabs = [
  ['usage', 'Usage'],
  ['keys', 'Keys'],
  ['playground', 'Playground'],
  ['alerts', 'Alerts'],
  ['members', 'Members'],
  ['settings', 'Settings'],
] as const;

export function Tabs({ orgId }: { orgId: string }) {
  return (
    <nav aria-label="Organization" className="-mx-4 overflow-x-auto border-line border-b px-4">
      <ul className="flex gap-1">
        {tabs.map(([path, name]) => (
          <li key={path}>
            <Link
              to={`/organizations/$orgId/${path}`}
              params={{ orgId }}
              className="block border-transparent border-b-2 px-3 py-2 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink -outline-offset-2"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
