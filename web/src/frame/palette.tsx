import * as Dialog from '@radix-ui/react-dialog';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  BookOpen,
  Building2,
  Contrast,
  KeyRound,
  LogOut,
  Plus,
  Search,
  User as UserIcon,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { User } from '../api/auth.ts';
import { keysQuery } from '../api/keys.ts';
import { membersQuery } from '../api/members.ts';
import { type Organization, organizationsQuery } from '../api/organizations.ts';
import { useLater } from '../lib/use-later.ts';
import { Backdrop } from '../ui/dialog.tsx';
import { useFocusReturn } from '../ui/use-focus-return.ts';
import { servicePages } from './destinations.ts';
import { pagesFor } from './sidebar.tsx';
import { isDark, setTheme } from './theme.ts';
import { recentOrganizations } from './use-current-organization.ts';

interface Props {
  user: User;
  organization: Organization | undefined;
  isNew: boolean;
  /** `organizations`: only these can be chosen. */
  of: 'everything' | 'organizations';
  onClose: () => void;
  onNewOrganization: () => void;
  onSignOut: () => void;
}

/** Finds pages, keys, members, organizations and actions, and goes there. */
export default function Palette({ of, onClose, ...rest }: Props) {
  const name = of === 'organizations' ? 'Switch organization' : 'Search';
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Backdrop />
        <Panel name={name}>
          <Choices of={of} name={name} onClose={onClose} {...rest} />
        </Panel>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Panel({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Dialog.Content
      aria-modal
      aria-describedby={undefined}
      onCloseAutoFocus={useFocusReturn()}
      className="fixed top-[12dvh] left-1/2 z-30 w-[min(36rem,94vw)] -translate-x-1/2 animate-scale overflow-clip rounded-lg border border-line bg-surface shadow-xl"
    >
      <Dialog.Title className="sr-only">{name}</Dialog.Title>
      {children}
    </Dialog.Content>
  );
}

const groupLook =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs';

function Choices({
  user,
  organization,
  isNew,
  of,
  name,
  onClose,
  onNewOrganization,
  onSignOut,
}: Props & { name: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const q = useLater(typed.trim());
  const isAll = of === 'everything';
  const found = useFound(q, isAll ? organization : undefined);
  const orgId = organization?.org_id;
  const may = organization?.may ?? [];
  const go = (to: string, search?: Record<string, string>) => () => {
    onClose();
    void navigate({ to, ...(search && { search }) } as never);
  };
  const doThen = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Command label={name} loop className="grid">
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder={isAll ? 'Find a page, a key, an organization or an action' : 'Find an organization'}
          className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
        />
      </div>
      <Command.List className="max-h-96 overflow-y-auto p-2">
        <Command.Empty className="px-2 py-8 text-center text-muted">Nothing found.</Command.Empty>
        {isAll && orgId && (
          <Command.Group heading={organization.name} className={groupLook}>
            {pagesFor(isNew).map(({ path, name: page, Icon, letter }) => (
              <Item key={path} value={`page ${page}`} onSelect={go(`/organizations/${orgId}/${path}`)}>
                <Icon aria-hidden />
                {page}
                {letter && <Keys keys={`g ${letter}`} />}
              </Item>
            ))}
            {may.includes('keys.create') && (
              <Item value="Create API Key" onSelect={go(`/organizations/${orgId}/keys`, { create: 'yes' })}>
                <Plus aria-hidden />
                Create API Key
                <Keys keys="c" />
              </Item>
            )}
          </Command.Group>
        )}
        {found.keys.length > 0 && orgId && (
          <Command.Group heading="Keys" className={groupLook}>
            {found.keys.map((key) => (
              <Item
                key={key.key_id}
                value={`${key.name} ${key.hint} ${key.key_id}`}
                onSelect={go(`/organizations/${orgId}/keys/${key.key_id}`)}
              >
                <KeyRound aria-hidden />
                <span className="truncate">{key.name}</span>
                <code className="ml-auto font-mono text-muted text-xs">{key.hint}</code>
              </Item>
            ))}
          </Command.Group>
        )}
        {found.members.length > 0 && orgId && (
          <Command.Group heading="Members" className={groupLook}>
            {found.members.map((member) => (
              <Item
                key={member.user_id}
                value={`${member.name} ${member.email} ${member.user_id}`}
                onSelect={go(`/organizations/${orgId}/members`, { q: member.email })}
              >
                <UserIcon aria-hidden />
                <span className="truncate">{member.name}</span>
                <span className="ml-auto truncate text-muted">{member.email}</span>
              </Item>
            ))}
          </Command.Group>
        )}
        {(!isAll || q) && (
          <Command.Group heading={isAll ? 'Organizations' : 'Recent and found'} className={groupLook}>
            {found.organizations.map((each) => (
              <Item
                key={each.org_id}
                value={`${each.name} ${each.org_id}`}
                onSelect={go(`/organizations/${each.org_id}/usage`)}
              >
                <Building2 aria-hidden />
                <span className="truncate">{each.name}</span>
                <span className="ml-auto text-muted">{each.tier}</span>
              </Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading={isAll ? 'Everywhere' : 'More'} className={groupLook}>
          {user.is_admin && isAll ? (
            servicePages.map(({ path, name: page, Icon }) => (
              <Item key={path} value={`service ${page}`} onSelect={go(path)}>
                <Icon aria-hidden />
                {page}
              </Item>
            ))
          ) : (
            <Item value="All organizations" onSelect={go('/organizations')}>
              <Building2 aria-hidden />
              All organizations
            </Item>
          )}
          {user.is_admin && (
            <Item value="New organization" onSelect={doThen(onNewOrganization)}>
              <Plus aria-hidden />
              New organization…
            </Item>
          )}
          {isAll && (
            <>
              <Item value="Account" onSelect={go('/account')}>
                <UserIcon aria-hidden />
                Account
              </Item>
              <Item
                value="Switch theme dark light"
                onSelect={doThen(() => setTheme(isDark() ? 'light' : 'dark'))}
              >
                <Contrast aria-hidden />
                {isDark() ? 'Switch to light' : 'Switch to dark'}
              </Item>
              <Item value="API documentation" onSelect={() => location.assign('/docs')}>
                <BookOpen aria-hidden />
                API documentation
              </Item>
              <Item value="Sign out" onSelect={doThen(onSignOut)}>
                <LogOut aria-hidden />
                Sign out
              </Item>
            </>
          )}
        </Command.Group>
      </Command.List>
    </Command>
  );
}

/** Returns what the service finds: without a text, the organizations that this browser showed last. */
function useFound(q: string, organization: Organization | undefined) {
  const orgId = organization?.org_id ?? '';
  const search = { ...(q && { q }) };
  const organizations = useInfiniteQuery({
    ...organizationsQuery(search),
    placeholderData: keepPreviousData,
  });
  const isSearching = q !== '' && organization !== undefined;
  const keys = useInfiniteQuery({ ...keysQuery(orgId, search), enabled: isSearching });
  const mayRead = organization?.may.includes('members.read') ?? false;
  const members = useInfiniteQuery({ ...membersQuery(orgId, search), enabled: isSearching && mayRead });
  const recent = recentOrganizations();
  const place = ({ org_id }: { org_id: string }): number => recent.indexOf(org_id) + 1 || 100;
  return {
    organizations: [...(organizations.data ?? [])].sort((a, b) => place(a) - place(b)).slice(0, 8),
    keys: isSearching ? (keys.data ?? []).slice(0, 6) : [],
    members: isSearching ? (members.data ?? []).slice(0, 4) : [],
  };
}

interface ItemProps {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-raised [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {children}
    </Command.Item>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <kbd aria-hidden className="ml-auto font-sans text-muted text-xs">
      {keys}
    </kbd>
  );
}
