import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLinkProps, useLocation } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, CircleUser, Search } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { openAlertsQuery } from '../api/alerts.ts';
import type { User } from '../api/auth.ts';
import { type Organization, organizationsQuery } from '../api/organizations.ts';
import { base } from '../lib/base.ts';
import { isNewHere } from '../lib/quota.ts';
import { openAlerts } from '../pages/organization/alerts/alert-text.ts';
import { type Destination, organizationPages, servicePages } from './destinations.ts';

const OpenUserMenu = lazy(() => import('./user-menu.tsx'));

interface Props {
  user: User;
  /** Undefined while it loads, and for people without an organization. */
  organization: Organization | undefined;
  onSwitch: () => void;
  onSearch: () => void;
  onSignOut: () => void;
}

/** Between a phone and a desktop, only the icons are in sight. */
const wide = 'max-lg:sr-only';
const itemLook =
  'flex h-8 w-full items-center gap-2.5 rounded-md px-2.5 text-left text-muted transition-colors ' +
  'hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium ' +
  'aria-[current=page]:text-ink [&>svg]:size-4 [&>svg]:shrink-0';

/** The navigation, beside each page. On a phone, the bar at the bottom takes its place. */
export function Sidebar({ user, organization, onSwitch, onSearch, onSignOut }: Props) {
  const { data: list } = useInfiniteQuery({ ...organizationsQuery(), enabled: false });
  // The page of a key is a part of Keys.
  const path = useLocation({ select: ({ pathname }) => pathname.split('/').slice(0, 4).join('/') });
  // There, people with a single organization see its usage.
  const isUsage = path === '/organizations' && list?.rows.length === 1;
  const at = isUsage ? `${path}/${list.rows[0]?.org_id}/usage` : path;
  return (
    <aside className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-4 scroll-pb-20 overflow-y-auto border-line border-r bg-sunken p-3 md:flex print:hidden lg:w-58">
      <div className="grid grid-cols-1 gap-1">
        <button
          type="button"
          className={`${itemLook} text-ink`}
          onClick={onSwitch}
          title={organization?.name}
        >
          <img src={`${base}/favicon.svg`} alt="" width={18} height={18} className="shrink-0" />
          <span dir="auto" className={`${wide} relative min-w-0 flex-1 truncate text-left font-semibold`}>
            {organization?.name ?? 'Embedgate'}
            <span className="sr-only">, switch organization</span>
          </span>
          <ChevronsUpDown aria-hidden className="hidden lg:block" />
        </button>
        <button type="button" className={itemLook} onClick={onSearch} title="Search">
          <Search aria-hidden />
          <span className={`${wide} flex-1`}>Search</span>
          <kbd aria-hidden className="hidden font-sans text-xs lg:block">
            ⌘K
          </kbd>
        </button>
      </div>
      {/* As high before it has loaded, so that nothing below moves. */}
      <div className="min-h-84 shrink-0">
        {organization && <OrganizationLinks organization={organization} at={at} />}
      </div>
      {user.is_admin && (
        <nav aria-label="Service" className="grid gap-0.5">
          <p className={`${wide} px-2.5 pb-1 text-muted text-xs`}>Service</p>
          {servicePages.map((page) => (
            <Item key={page.path} page={page} to={page.path} at={at} />
          ))}
        </nav>
      )}
      {/* These links stay in sight if the window is too low for all of them. */}
      <div className="sticky -bottom-3 mt-auto -mb-3 grid gap-0.5 bg-sunken pb-3">
        <a href={`${base}/docs`} className={itemLook} title="API documentation">
          <BookOpen aria-hidden />
          <span className={wide}>API documentation</span>
        </a>
        <UserMenu user={user} onSignOut={onSignOut} />
      </div>
    </aside>
  );
}

/** The user's name as a button, whose menu loads when it opens for the first time. */
function UserMenu({ user: { name }, onSignOut }: Pick<Props, 'user' | 'onSignOut'>) {
  const [wasOpened, setOpened] = useState(false);
  const trigger = (
    <button type="button" className={itemLook} title={name} onClick={() => setOpened(true)}>
      <CircleUser aria-hidden />
      <span className={`${wide} min-w-0 truncate`}>{name}</span>
    </button>
  );
  if (!wasOpened) return trigger;
  return (
    <Suspense fallback={trigger}>
      <OpenUserMenu trigger={trigger} onSignOut={onSignOut} />
    </Suspense>
  );
}

/**
 * Returns the pages of an organization that someone needs: the first steps only until they are taken, and the audit log
 * only if they may read it.
 */
export const pagesFor = (organization: Organization | undefined): readonly Destination[] =>
  organizationPages.filter(
    ({ path }) =>
      (path !== 'start' || isNewHere(organization)) &&
      (path !== 'audit' || organization?.may.includes('audit.read')),
  );

function OrganizationLinks({ organization, at }: { organization: Organization; at: string }) {
  const { org_id: orgId } = organization;
  const { data: alerts } = useQuery(openAlertsQuery(orgId));
  const open = openAlerts(alerts ?? []).length;
  return (
    <nav aria-label="Organization" className="grid gap-0.5">
      {pagesFor(organization).map((page) => (
        <Item
          key={page.path}
          page={page}
          to={`/organizations/${orgId}/${page.path}`}
          at={at}
          more={
            page.path === 'alerts' && open > 0 ? (
              <span className="ml-auto hidden text-xs tabular-nums lg:block">
                {open}
                <span className="sr-only"> open</span>
              </span>
            ) : null
          }
        />
      ))}
    </nav>
  );
}

interface ItemProps {
  page: Destination;
  to: string;
  /** The page that is shown. */
  at: string;
  more?: ReactNode;
}

function Item({ page: { name, Icon }, to, at, more }: ItemProps) {
  return (
    <a
      {...useLinkProps({ to })}
      className={itemLook}
      title={name}
      aria-current={at === to ? 'page' : undefined}
    >
      <Icon aria-hidden />
      <span className={wide}>{name}</span>
      {more}
    </a>
  );
}
