import { Link } from '@tanstack/react-router';
import { Ellipsis, Search } from 'lucide-react';
import type { User } from '../api/auth.ts';
import type { Organization } from '../api/organizations.ts';
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx';
import { servicePages } from './destinations.ts';
import { AccountItems, pagesFor } from './sidebar.tsx';

interface Props {
  user: User;
  organization: Organization | undefined;
  isNew: boolean;
  onSearch: () => void;
  onSignOut: () => void;
}

const itemLook =
  'grid min-h-14 content-center justify-items-center gap-0.5 text-muted text-xs aria-[current=page]:text-accent [&>svg]:size-5';
const firstPages = ['usage', 'requests', 'keys'];

/** The navigation on a phone: three pages, and a menu with the others. */
export function BottomBar({ user, organization, isNew, onSearch, onSignOut }: Props) {
  const pages = pagesFor(isNew);
  const toPage = (path: string) => `/organizations/${organization?.org_id}/${path}`;
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-4 border-line border-t bg-page md:hidden"
    >
      {organization &&
        pages
          .filter(({ path }) => firstPages.includes(path))
          .map(({ path, name, Icon }) => (
            <Link key={path} to={toPage(path)} className={itemLook}>
              <Icon aria-hidden />
              {name}
            </Link>
          ))}
      <Menu
        trigger={
          <button type="button" className={`${itemLook} col-start-4`}>
            <Ellipsis aria-hidden />
            More
          </button>
        }
      >
        <MenuItem onSelect={onSearch}>
          <Search aria-hidden />
          Search
        </MenuItem>
        {organization &&
          pages
            .filter(({ path }) => !firstPages.includes(path))
            .map(({ path, name, Icon }) => (
              <MenuLink key={path}>
                <Link to={toPage(path)}>
                  <Icon aria-hidden />
                  {name}
                </Link>
              </MenuLink>
            ))}
        {user.is_admin &&
          servicePages.map(({ path, name, Icon }) => (
            <MenuLink key={path}>
              <Link to={path}>
                <Icon aria-hidden />
                {name}
              </Link>
            </MenuLink>
          ))}
        <AccountItems onSignOut={onSignOut} />
      </Menu>
    </nav>
  );
}
