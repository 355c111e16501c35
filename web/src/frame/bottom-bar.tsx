import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { Organization } from '../api/organizations.ts';
import { organizationPages } from './destinations.ts';

interface Props {
  organization: Organization | undefined;
  onMore: () => void;
}

const itemLook =
  'grid min-h-14 content-center justify-items-center gap-0.5 text-muted text-xs ' +
  'aria-[current=page]:text-accent [&>svg]:size-5';
const pages = organizationPages.filter(({ path }) => ['usage', 'requests', 'keys'].includes(path));

/** The navigation on a phone: three pages, and the palette with all others. */
export function BottomBar({ organization, onMore }: Props) {
  const toPage = (path: string): string => `/organizations/${organization?.org_id}/${path}`;
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-4 border-line border-t bg-page md:hidden print:hidden"
    >
      {organization &&
        pages.map(({ path, name, Icon }) => (
          <Link key={path} to={toPage(path)} className={itemLook}>
            <Icon aria-hidden />
            {name}
          </Link>
        ))}
      <button type="button" className={`${itemLook} col-start-4`} onClick={onMore}>
        <Ellipsis aria-hidden />
        More
      </button>
    </nav>
  );
}
