import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  allKeysOf,
  changeKey,
  type Key,
  linkToKey,
  loadKey,
  revokeKey,
  rotateKey,
} from '../../../api/keys.ts';
import { histogramQuery } from '../../../api/requests.ts';
import { useSave } from '../../../api/use-save.ts';
import { changedText } from '../../../lib/form-text.ts';
import { formatAgo, formatEndMoment, formatMoment } from '../../../lib/format.ts';
import { useKeyOwner } from '../../../lib/use-organization.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { SecretDialog } from '../../../ui/secret.tsx';
import { formatUnits } from '../limits/limit-text.ts';
import { CreatedKey } from './created-key.tsx';
import { neverExpires } from './key-status.ts';
import { networksIn, type Rights, RightsFields } from './rights.tsx';

/** The chosen action and its keys. Only `revoke` takes several keys. */
export interface KeyIntent {
  readonly does: 'revoke' | 'rotate' | 'pause' | 'edit' | 'hand over';
  readonly keys: readonly [Key, ...Key[]];
}

/** The dialog of the chosen action. */
export function KeyAction({ intent: { does, keys }, onClose }: { intent: KeyIntent; onClose: () => void }) {
  if (does === 'rotate') return <RotateKey apiKey={keys[0]} onClose={onClose} />;
  if (does === 'pause') return <PauseKey apiKey={keys[0]} onClose={onClose} />;
  if (does === 'hand over') return <HandOverKey apiKey={keys[0]} onClose={onClose} />;
  if (does === 'edit') return <EditKey apiKey={keys[0]} onClose={onClose} />;
  return <RevokeKeys apiKeys={keys} onClose={onClose} />;
}

function RevokeKeys({ apiKeys, onClose }: { apiKeys: KeyIntent['keys']; onClose: () => void }) {
  const { org_id: orgId } = useKeyOwner();
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

function EditKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [before] = useState(apiKey);
  const texts = {
    name: before.name,
    model: before.default_model ?? '',
    end: dayOf(before.expires_at),
    networks: before.networks?.join(', ') ?? '',
  };
  const [rights, setRights] = useState<Rights>(before);
  const end = neverExpires(before.expires_at)
    ? 'The key never expires.'
    : `The key expires on ${formatEndMoment(before.expires_at)}. If you choose another day, it expires at the end of that day.`;
  const save = async (values: typeof texts) => {
    const { name, model, end: day, networks } = changedText(texts, values);
    // Others may have changed the same lists.
    const now = rights === before ? before : await loadKey(apiKey);
    await changeKey(apiKey, {
      ...(name !== undefined && { name }),
      ...(networks !== undefined && { networks: networksIn(networks) }),
      ...(model !== undefined && { default_model: model.trim() || null }),
      ...(day !== undefined && { expires_at: day === '' ? null : `${day}T23:59:59Z` }),
      ...(rights.scopes !== before.scopes && { scopes: merged(before.scopes, rights.scopes, now.scopes) }),
      ...(rights.models !== before.models && {
        models:
          rights.models && before.models && now.models
            ? merged(before.models, rights.models, now.models)
            : rights.models && [...rights.models],
      }),
    });
  };
  return (
    <FormDialog
      title={`Edit “${before.name}”`}
      description="Changes apply from the next request on."
      names={['name', 'model', 'end', 'networks']}
      action="Save"
      change={useSave(save, [allKeysOf(apiKey.org_id)], onClose)}
      onClose={onClose}
    >
      <TextField label="Name" name="name" defaultValue={texts.name} maxLength={200} required />
      <TextField
        label="Expires on (UTC)"
        name="end"
        type="date"
        defaultValue={texts.end}
        hint={`${end} Without a day, it never expires.`}
      />
      <TextField
        label="Default model"
        name="model"
        defaultValue={texts.model}
        placeholder="The service’s default"
        maxLength={200}
      />
      <RightsFields networks={texts.networks} rights={rights} onChange={setRights} />
    </FormDialog>
  );
}

/** Returns `now` with what was added and removed between the other two. */
function merged<Each>(before: readonly Each[], after: readonly Each[], now: readonly Each[]): Each[] {
  const kept = now.filter((each) => after.includes(each) || !before.includes(each));
  return [...new Set([...kept, ...after.filter((each) => !before.includes(each))])];
}

/** Returns the day in UTC as a field for dates shows it. Empty: the key never expires. */
const dayOf = (time: string): string => (neverExpires(time) ? '' : time.slice(0, 10));

/** What would fail from now on. */
function RecentUse({ apiKey }: { apiKey: Key }) {
  const { data } = useQuery({
    ...histogramQuery(apiKey.org_id, { key_id: apiKey.key_id }),
    enabled: apiKey.org_id !== '',
  });
  if (apiKey.last_used_at === null) return <p className="font-medium">This key was never used.</p>;
  const requests = (data?.buckets ?? []).reduce((sum, { counted, cached }) => sum + counted + cached, 0);
  return (
    <p className="font-medium">
      Last used {formatAgo(apiKey.last_used_at)}
      {requests > 0 && `; ${formatUnits(requests, 'requests')} in the last hour, which would fail`}.
    </p>
  );
}

function HandOverKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const link = useSave(() => linkToKey(apiKey), []);
  if (link.data)
    return (
      <SecretDialog
        title={`Link to “${apiKey.name}”`}
        description={`Send it to the person who will use the key. It works once, until ${formatMoment(link.data.expires_at)}.`}
        text={link.data.url}
        copy="Copy link"
        onClose={onClose}
      />
    );
  return (
    <Confirm
      title={`Hand over “${apiKey.name}”?`}
      description="The person who opens the link gets a new secret of the key, which nobody else sees. From then on, the present secret is refused."
      action="Create a link"
      change={link}
      onClose={onClose}
    >
      <RecentUse apiKey={apiKey} />
    </Confirm>
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
    return (
      <CreatedKey
        created={rotate.data}
        rights={apiKey}
        defaultModel={apiKey.default_model}
        onClose={onClose}
      />
    );
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
