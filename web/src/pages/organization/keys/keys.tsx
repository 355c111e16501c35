import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type KeySearch, keysQuery, listedFirst } from '../../../api/keys.ts';
import { newKeys } from '../../../api/limits.ts';
import { isStatus } from '../../../api/problem.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { formatCount } from '../../../lib/format.ts';
import { useAddress } from '../../../lib/use-address.ts';
import { useListSearch } from '../../../lib/use-list-search.ts';
import { useKeyOwner } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Tabs, useTab } from '../../../ui/tabs.tsx';
import { NotFound } from '../../not-found.tsx';
import { Limits } from '../limits/limits.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyAction, type KeyIntent } from './key-action.tsx';
import { KeyTable } from './key-table.tsx';
import { useKeyRights } from './use-key-rights.ts';

const filters = {
  active: 'Active',
  expiring: 'Expiring',
  unused: 'Unused 30 d',
  revoked: 'Revoked',
  all: 'All',
} as const;
type Filter = keyof typeof filters;
const tabs = { keys: 'Keys', limits: 'Limits for new keys' } as const;

/** The keys of an organization or, on a page of none, those of the installation. */
export default function Keys() {
  const { org_id: orgId, may } = useKeyOwner();
  const [{ status, create }, change] = useAddress();
  const filter = (status ?? listedFirst.status) as Filter;
  const list = useListSearch();
  const tab = useTab(tabs);
  const { q, sort = q ? 'name' : listedFirst.sort } = list.search;
  const search = { q, sort, status: filter === 'all' ? undefined : filter } as KeySearch;
  const query = useInfiniteQuery({
    ...keysQuery(orgId, search),
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({
      rows: pages.flatMap(({ data }) => data),
      total: pages[0]?.total ?? 0,
      counts: pages[0]?.counts,
    }),
  });
  const { mayRevoke } = useKeyRights();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [intent, setIntent] = useState<KeyIntent | null>(null);
  const mayCreate = may.includes('keys.create');
  const chosen = query.data?.rows.filter((key) => selected.has(key.key_id) && mayRevoke(key)) ?? [];
  const [first, ...others] = chosen;
  const done = () => {
    setIntent(null);
    setSelected(new Set());
  };
  const counts = query.data?.counts;
  const options = Object.fromEntries(
    Object.entries(filters).map(([value, name]) => [
      value,
      counts ? `${name} ${formatCount(counts[value as Filter])}` : name,
    ]),
  ) as Record<Filter, string>;

  if (isStatus(query.error, 403)) return <NotFound />;
  const Frame = orgId ? OrganizationPage : Page;
  return (
    <Frame
      title={orgId ? 'Keys' : 'Installation keys'}
      actions={
        mayCreate && (
          <Button look="primary" onClick={() => change({ create: 'yes' })}>
            <Plus aria-hidden />
            Create API Key
          </Button>
        )
      }
    >
      {orgId && <Tabs label="Parts of the page" tabs={tabs} value={tab} />}
      {tab === 'limits' ? (
        <Limits
          of={newKeys}
          name="every key that is created from now on"
          title={tabs.limits}
          description="Every new key gets its own copy of them. Keys that exist keep what they have."
        />
      ) : counts?.all === 0 && !list.isSearched ? (
        <Empty title="There are no API keys yet.">
          {mayCreate ? (
            <Button look="primary" onClick={() => change({ create: 'yes' })}>
              Create API Key
            </Button>
          ) : (
            'Ask an owner, admin or member to create one.'
          )}
        </Empty>
      ) : (
        <div className="grid grid-cols-1 gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <SearchField {...list.field} label="Search keys" />
            <Segmented
              legend="Which keys"
              options={options}
              value={filter}
              onChange={(next) => change({ status: next })}
            />
            {first && (
              <Button
                className="ml-auto"
                onClick={() => setIntent({ does: 'revoke', keys: [first, ...others] })}
              >
                Revoke {chosen.length}
              </Button>
            )}
          </div>
          <LoadMore query={query} name="keys" rows={10} isSearchable>
            {(keys) => (
              <KeyTable
                keys={keys}
                isSearched={list.isSearched}
                sort={sort}
                onSort={list.sortBy}
                selected={selected}
                onSelect={setSelected}
                onAct={(does, key) => setIntent({ does, keys: [key] })}
              />
            )}
          </LoadMore>
        </div>
      )}
      {create && <CreateKey onClose={() => change({ create: undefined })} />}
      {intent && <KeyAction intent={intent} onClose={done} />}
    </Frame>
  );
}
