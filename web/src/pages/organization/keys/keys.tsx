import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Key, keysQuery } from '../../../api/keys.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { useKeyPeople } from './use-key-people.ts';

/** What was asked for, of which key. */
type Intent = { readonly does: 'revoke' | 'rotate'; readonly key: Key };

export default function Keys() {
  const organization = useOrganization('Keys');
  const { org_id: orgId, may } = organization;
  const query = useQuery(keysQuery(orgId));
  const { creatorOf, mayChange } = useKeyPeople(organization);
  const [wanted, setWanted] = useState('');
  const [creating, setCreating] = useState(false);
  const [intent, setIntent] = useState<Intent | null>(null);
  const mayCreate = may.includes('keys.create');
  const done = () => setIntent(null);
  const matches = (key: Key): boolean =>
    [key.name, key.hint, key.status, creatorOf(key)].some((text) =>
      text.toLowerCase().includes(wanted.trim().toLowerCase()),
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
                value={wanted}
                onChange={(event) => setWanted(event.target.value)}
              />
              <KeyTable
                keys={keys.filter(matches)}
                creatorOf={creatorOf}
                mayChange={mayChange}
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
