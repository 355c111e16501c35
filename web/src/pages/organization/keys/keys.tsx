import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Key, keysQuery } from '../../../api/keys.ts';
import { may } from '../../../lib/roles.ts';
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

/** What was asked for, of which key. */
type Intent = { readonly does: 'revoke' | 'rotate'; readonly key: Key };

export default function Keys() {
  const { org_id: orgId, role } = useOrganization('Keys');
  const query = useQuery(keysQuery(orgId));
  const [wanted, setWanted] = useState('');
  const [creating, setCreating] = useState(false);
  const [intent, setIntent] = useState<Intent | null>(null);
  const mayWrite = may(role, 'write keys');
  const done = () => setIntent(null);

  return (
    <Card
      title="API keys"
      actions={
        mayWrite && (
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
              {mayWrite
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
                keys={keys.filter((key) => matches(key, wanted))}
                onRevoke={mayWrite ? (key) => setIntent({ does: 'revoke', key }) : undefined}
                onRotate={mayWrite ? (key) => setIntent({ does: 'rotate', key }) : undefined}
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

function matches({ name, user_id, hint, status }: Key, wanted: string): boolean {
  return [name, user_id, hint, status].some((text) =>
    text.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
}
