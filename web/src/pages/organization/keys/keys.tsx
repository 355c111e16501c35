import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Key, keysQuery } from '../../../api/keys.ts';
import { isUsedUp } from '../../../lib/quota.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { CreateKey } from './create-key.tsx';
import { keyStatus } from './key-status.ts';
import { KeyTable } from './key-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { useKeyPeople } from './use-key-people.ts';

const route = getRouteApi('/signed-in/organizations/$orgId/keys');

/** The chosen action and its key. */
type Intent = { readonly does: 'revoke' | 'rotate'; readonly key: Key };

export default function Keys() {
  const organization = useOrganization('Keys');
  const { org_id: orgId, may } = organization;
  const query = useQuery(keysQuery(orgId));
  const { creatorOf, mayChange } = useKeyPeople(organization);
  // The address gets the typed text a moment later: a field that waited for it would lose letters.
  const [filter, setFilter] = useState(route.useSearch().filter ?? '');
  const navigate = useNavigate({ from: '/organizations/$orgId/keys' });
  const [creating, setCreating] = useState(false);
  const [intent, setIntent] = useState<Intent | null>(null);
  const mayCreate = may.includes('keys.create');
  const find = (text: string) => {
    setFilter(text);
    navigate({ search: text ? { filter: text } : {}, replace: true });
  };
  const done = () => setIntent(null);
  const wanted = filter.trim().toLowerCase();
  const matches = (key: Key): boolean =>
    [key.name, key.hint, keyStatus(key, Date.now()), creatorOf(key)].some((text) =>
      text.toLowerCase().includes(wanted),
    );

  return (
    <Card
      title="API keys"
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
          keys.length === 0 ? (
            <Empty title="There are no API keys yet.">
              {mayCreate
                ? 'Create one to send the first request.'
                : 'Ask an owner, admin or member to create one.'}
            </Empty>
          ) : (
            <div className="grid gap-4">
              <TextField
                label="Filter"
                type="search"
                placeholder="Name, creator, last characters or status"
                value={filter}
                onChange={({ target: { value } }) => find(value)}
              />
              <KeyTable
                keys={keys.filter(matches)}
                all={keys}
                creatorOf={creatorOf}
                mayChange={mayChange}
                isOverQuota={isUsedUp(organization.quota, Date.now())}
                onFind={find}
                onRevoke={(key) => setIntent({ does: 'revoke', key })}
                onRotate={(key) => setIntent({ does: 'rotate', key })}
              />
            </div>
          )
        }
      </Loaded>
      {creating && <CreateKey orgId={orgId} onClose={() => setCreating(false)} />}
      {intent?.does === 'revoke' && <RevokeKey orgId={orgId} apiKey={intent.key} onClose={done} />}
      {intent?.does === 'rotate' && <RotateKey orgId={orgId} apiKey={intent.key} onClose={done} />}
    </Card>
  );
}
