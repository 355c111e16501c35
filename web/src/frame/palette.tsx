import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Building2, Contrast, KeyRound, LogOut, Plus, User as UserIcon } from 'lucide-react';
import { useState } from 'react';
import type { User } from '../api/auth.ts';
import { keysQuery } from '../api/keys.ts';
import { membersQuery } from '../api/members.ts';
import { type Organization, organizationQuery, organizationsQuery } from '../api/organizations.ts';
import { base } from '../lib/base.ts';
import { capitalized } from '../lib/format.ts';
import { useLater } from '../lib/use-later.ts';
import Finder, { type Item, matching } from '../ui/finder.tsx';
import { servicePages } from './destinations.ts';
import { pagesFor } from './sidebar.tsx';
import { isDark, setTheme } from './theme.ts';
import { recentOrganizations } from './use-current-organization.ts';

interface Props {
  user: User;
  organization: Organization | undefined;
  /** `organizations`: only these can be chosen. */
  of: 'everything' | 'organizations';
  onClose: () => void;
  onNewOrganization: () => void;
  onSignOut: () => void;
}

/** More of one kind would hide the others. */
const mostFound = 6;

/** Finds pages, keys, members, organizations and actions, and goes there. */
export default function Palette({ user, organization, of, onClose, onNewOrganization, onSignOut }: Props) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const isAll = of === 'everything';
  const name = isAll ? 'Search' : 'Switch organization';
  const found = useFound(useLater(typed.trim()), isAll ? organization : undefined);
  const ofOrganization = `/organizations/${organization?.org_id}`;
  const go = (to: string, search?: Record<string, string>) => () =>
    void navigate({ to, ...(search && { search }) } as never);

  const pages: Item[] = pagesFor(organization).map(({ path, name: label, Icon, letter }) => ({
    label,
    Icon,
    aside: letter && `g ${letter}`,
    run: go(`${ofOrganization}/${path}`),
  }));
  if (organization?.may.includes('keys.create')) {
    const run = go(`${ofOrganization}/keys`, { create: 'yes' });
    pages.push({ label: 'Create API Key', Icon: Plus, aside: 'c', run });
  }
  const keys: Item[] = found.keys.map(({ key_id, user_id, name: label, hint }) => ({
    words: `${key_id} ${user_id}`,
    label,
    aside: hint,
    Icon: KeyRound,
    run: go(`${ofOrganization}/keys/${key_id}`),
  }));
  const q = typed.trim();
  const run = go(`${ofOrganization}/keys`, { q });
  const allKeys: Item = { label: `All keys with “${q}”`, words: q, Icon: KeyRound, run };
  const members: Item[] = found.members.map(({ user_id, name: label, email }) => ({
    words: user_id,
    label,
    aside: email,
    Icon: UserIcon,
    run: go(`${ofOrganization}/members`, { q: email }),
  }));
  const organizations: Item[] = found.organizations.map(({ org_id, name: label, tier }) => ({
    words: org_id,
    label,
    aside: capitalized(tier),
    Icon: Building2,
    run: go(`/organizations/${org_id}/usage`),
  }));
  const all = { label: 'All organizations', Icon: Building2, run: go('/organizations') };
  const service: Item[] = servicePages.map(({ path, name: label, Icon }) => ({ label, Icon, run: go(path) }));
  const theme = isDark() ? 'light' : 'dark';
  const others: Item[] = [
    ...(user.is_admin && isAll ? service : [all]),
    ...(user.is_admin ? [{ label: 'New organization…', Icon: Plus, run: onNewOrganization }] : []),
    ...(isAll
      ? [
          { label: 'Account', Icon: UserIcon, run: go('/account') },
          { label: `Switch to ${theme}`, words: 'theme', Icon: Contrast, run: () => setTheme(theme) },
          { label: 'API documentation', Icon: BookOpen, run: () => location.assign(`${base}/docs`) },
          { label: 'Sign out', Icon: LogOut, run: onSignOut },
        ]
      : []),
  ];
  const best = (items: readonly Item[]) => matching(items, typed).slice(0, mostFound);
  const groups: Readonly<Record<string, readonly Item[]>> = {
    ...(isAll && organization && { [organization.name]: pages }),
    Keys: keys.length > mostFound ? [...best(keys), allKeys] : keys,
    Members: best(members),
    ...((!isAll || typed) && { Organizations: best(organizations) }),
    [isAll ? 'Everywhere' : 'More']: others,
  };
  return (
    <Finder
      name={name}
      placeholder={isAll ? 'Find a page, a key, an organization or an action' : 'Find an organization'}
      typed={typed}
      onType={setTyped}
      groups={groups}
      onClose={onClose}
    />
  );
}

/** Returns what the service finds: without a text, the organizations that this browser showed last. */
function useFound(q: string, organization: Organization | undefined) {
  const orgId = organization?.org_id ?? '';
  const search = { q };
  const organizations = useInfiniteQuery({
    ...organizationsQuery(search),
    placeholderData: keepPreviousData,
  });
  const recent = useQueries({
    queries: q === '' ? recentOrganizations().map((id) => ({ ...organizationQuery(id), retry: false })) : [],
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const isSearching = q !== '' && organization !== undefined;
  // The busiest ones, since those that are named alike can be thousands.
  const keys = useInfiniteQuery({
    ...keysQuery(orgId, { q, sort: '-requests' }),
    enabled: isSearching,
  });
  const mayRead = organization?.may.includes('members.read') ?? false;
  const members = useInfiniteQuery({ ...membersQuery(orgId, search), enabled: isSearching && mayRead });
  const others = (organizations.data?.rows ?? []).filter(
    ({ org_id }) => !recent.some((each) => each.org_id === org_id),
  );
  return {
    organizations: [...recent, ...others],
    keys: isSearching ? (keys.data?.rows ?? []) : [],
    members: isSearching ? (members.data?.rows ?? []) : [],
  };
}
