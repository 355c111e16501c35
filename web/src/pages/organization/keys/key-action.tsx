import { useQuery } from '@tanstack/react-query';
import { allKeysOf, changeKey, type Key, revokeKey, rotateKey } from '../../../api/keys.ts';
import { histogramQuery } from '../../../api/requests.ts';
import { useSave } from '../../../api/use-save.ts';
import { formatAgo, formatCount } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { CreatedKey } from './created-key.tsx';

/** The chosen action and its keys. Only `revoke` takes several keys. */
export interface KeyIntent {
  readonly does: 'revoke' | 'rotate' | 'pause' | 'rename';
  readonly keys: readonly [Key, ...Key[]];
}

/** The dialog of the chosen action. */
export function KeyAction({ intent: { does, keys }, onClose }: { intent: KeyIntent; onClose: () => void }) {
  if (does === 'rotate') return <RotateKey apiKey={keys[0]} onClose={onClose} />;
  if (does === 'pause') return <PauseKey apiKey={keys[0]} onClose={onClose} />;
  if (does === 'rename') return <RenameKey apiKey={keys[0]} onClose={onClose} />;
  return <RevokeKeys apiKeys={keys} onClose={onClose} />;
}

function RevokeKeys({ apiKeys, onClose }: { apiKeys: KeyIntent['keys']; onClose: () => void }) {
  const { org_id: orgId } = useOrganization();
  const [first] = apiKeys;
  const revoke = useSave(
    async () => {
      for (const { key_id } of apiKeys) await revokeKey(orgId, key_id);
    },
    [allKeysOf(orgId)],
    onClose,
  );
  const isOne = apiKeys.length === 1;
  return (
    <Confirm
      title={isOne ? `Revoke “${first.name}”?` : `Revoke ${apiKeys.length} keys?`}
      description={
        isOne
          ? `${first.hint} stops working immediately. Keys that it created by rotating itself are revoked too; a ` +
            'key that a person created with Rotate keeps working. This can’t be undone. Usage reports keep the ' +
            'key’s usage.'
          : `They stop working immediately. This can’t be undone: ${apiKeys.map(({ name }) => name).join(', ')}.`
      }
      action={isOne ? 'Revoke' : `Revoke ${apiKeys.length} keys`}
      change={revoke}
      onClose={onClose}
    >
      {isOne && <RecentUse apiKey={first} />}
    </Confirm>
  );
}

function PauseKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const save = () => changeKey(apiKey, { enabled: false });
  return (
    <Confirm
      title={`Pause “${apiKey.name}”?`}
      description={`${apiKey.hint} is refused until you resume it. Its batches are cancelled. Keys that it created by rotating itself keep working.`}
      action="Pause"
      change={useSave(save, [allKeysOf(apiKey.org_id)], onClose)}
      onClose={onClose}
    >
      <RecentUse apiKey={apiKey} />
    </Confirm>
  );
}

function RenameKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const save = ({ name }: { name: string }) => changeKey(apiKey, { name });
  return (
    <FormDialog
      title={`Rename “${apiKey.name}”`}
      names={['name']}
      action="Rename"
      change={useSave(save, [allKeysOf(apiKey.org_id)], onClose)}
      onClose={onClose}
    >
      <TextField label="Name" name="name" defaultValue={apiKey.name} maxLength={200} required />
    </FormDialog>
  );
}

/** What would fail from now on. */
function RecentUse({ apiKey }: { apiKey: Key }) {
  const { data } = useQuery(histogramQuery(apiKey.org_id, { key_id: apiKey.key_id }));
  if (apiKey.last_used_at === null) return <p className="font-medium">This key was never used.</p>;
  const requests = (data?.buckets ?? []).reduce((sum, { counted, cached }) => sum + counted + cached, 0);
  return (
    <p className="font-medium">
      Last used {formatAgo(apiKey.last_used_at)}
      {requests > 0 &&
        `; ${formatCount(requests)} request${requests === 1 ? '' : 's'} in the last hour, which would fail`}
      .
    </p>
  );
}

/** In seconds. */
const graces = { 3600: 'One hour', 86400: 'One day', 604800: 'One week' };

function RotateKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { org_id: orgId, key_id: keyId } = apiKey;
  const rotate = useSave(
    ({ grace }: { grace: string }) => rotateKey(orgId, keyId, Number(grace)),
    [allKeysOf(orgId)],
  );
  if (rotate.data)
    return <CreatedKey created={rotate.data} defaultModel={apiKey.default_model} onClose={onClose} />;
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      description="A new key with the same lifetime takes its place. The old key keeps working for a while, but not beyond its own expiry, so that you can replace it everywhere without a failed request."
      names={['grace']}
      action="Rotate key"
      change={rotate}
      onClose={onClose}
    >
      <SelectField label="The old key works for" name="grace" options={graces} defaultValue="86400" />
    </FormDialog>
  );
}
