import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

const tabs = [
  ['usage', 'Usage'],
  ['keys', 'Keys'],
  ['playground', 'Playground'],
  ['alerts', 'Alerts'],
  ['members', 'Members'],
  ['settings', 'Settings'],
] as const;

const tabLook =
  'block border-transparent border-b-2 px-3 py-2 text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink';

export function Tabs({ orgId }: { orgId: string }) {
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // In a narrow window, the page's own tab may be out of sight.
    const own = [...(list.current?.querySelectorAll('a') ?? [])].find((tab) => tab.pathname === pathname);
    own?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [pathname]);
  return (
    <nav
      aria-label="Organization"
      className="-mx-4 overflow-x-auto border-line border-b px-4 sm:mx-0 sm:px-0"
    >
      <ul ref={list} className="flex gap-1">
        {tabs.map(([path, name]) => (
          <li key={path}>
            <Link to={`/organizations/$orgId/${path}`} params={{ orgId }} className={tabLook}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
