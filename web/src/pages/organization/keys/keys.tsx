import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Key, keysQuery } from '../../../api/keys.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { isUsedUp } from '../../../lib/quota.ts';
import { useListSearch } from '../../../lib/use-list-search.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { listQuery, SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyLimits } from './key-limits.tsx';
import { KeyTable } from './key-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { useKeyPeople } from './use-key-people.ts';

/** The chosen action and its key. */
type Intent = { readonly does: 'limits' | 'revoke' | 'rotate'; readonly key: Key };

export default function Keys() {
  const organization = useOrganization();
  const { org_id: orgId, may } = organization;
  const list = useListSearch();
  const search = listQuery(list);
  const query = useInfiniteQuery({ ...keysQuery(orgId, search), placeholderData: keepPreviousData });
  const { creatorOf, mayChange } = useKeyPeople(organization);
  const [creating, setCreating] = useState(false);
  const [intent, setIntent] = useState<Intent | null>(null);
  const mayCreate = may.includes('keys.create');
  const done = () => setIntent(null);

  return (
    <OrganizationPage
      title="Keys"
      actions={
        mayCreate && (
          <Button look="primary" onClick={() => setCreating(true)}>
            Create API Key
          </Button>
        )
      }
    >
      <Loaded query={query} placeholder={<SkeletonRows rows={5} />}>
        {(keys) =>
          keys.length === 0 && !list.text && !list.search.q ? (
            <Empty title="There are no API keys yet.">
              {mayCreate
                ? 'Create one to send the first request.'
                : 'Ask an owner, admin or member to create one.'}
            </Empty>
          ) : (
            <div className="grid gap-4">
              <SearchField state={list} searched="name" />
              <LoadMore query={query} rows={keys} name="keys">
                <KeyTable
                  keys={keys}
                  creatorOf={creatorOf}
                  mayChange={mayChange}
                  isOverQuota={isUsedUp(organization.quota, Date.now())}
                  sort={search.sort ?? (search.q ? 'name' : '-created')}
                  onSort={list.sortBy}
                  onFind={list.find}
                  onLimits={(key) => setIntent({ does: 'limits', key })}
                  onRevoke={(key) => setIntent({ does: 'revoke', key })}
                  onRotate={(key) => setIntent({ does: 'rotate', key })}
                />
              </LoadMore>
            </div>
          )
        }
      </Loaded>
      {creating && <CreateKey orgId={orgId} onClose={() => setCreating(false)} />}
      {intent?.does === 'limits' && (
        <KeyLimits organization={organization} apiKey={intent.key} onClose={done} />
      )}
      {intent?.does === 'revoke' && <RevokeKey orgId={orgId} apiKey={intent.key} onClose={done} />}
      {intent?.does === 'rotate' && <RotateKey orgId={orgId} apiKey={intent.key} onClose={done} />}
    </OrganizationPage>
  );
}
