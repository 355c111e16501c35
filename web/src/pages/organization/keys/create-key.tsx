import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allKeysOf, createKey } from '../../../api/keys.ts';
import { createLimit, limitsQuery, type NewLimit, newKeys } from '../../../api/limits.ts';
import { useSave } from '../../../api/use-save.ts';
import { useKeyOwner } from '../../../lib/use-organization.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { describeLimit, windowNames } from '../limits/limit-text.ts';
import { CreatedKey } from './created-key.tsx';
import { networksIn, type Rights, RightsFields, standardRights } from './rights.tsx';

const never = 'never';
/** In days. */
const lifetimes = { 30: '30 days', 90: '90 days', 365: 'One year', [never]: 'Never' };

/** A key of the installation must expire. */
const { [never]: _, ...ends } = lifetimes;

const fields = ['name', 'lifetime', 'model', 'networks', 'amount', 'window'] as const;
type Field = (typeof fields)[number];

const readOnly: Rights = { scopes: ['read'], models: null };
const ofOrganization =
  'The key can embed texts, and read the organization’s keys, usage and alerts, unless you choose less. It can’t change settings. Its requests count against the quota.';
const ofInstallation =
  'The key belongs to no organization: with it, a program manages all of them. It can’t embed, and it makes nobody an administrator.';

export function CreateKey({ onClose }: { onClose: () => void }) {
  const { org_id: orgId, may } = useKeyOwner();
  // What was allowed when it opened: the new key must stay, even if a later response takes the right away.
  const [mayCreate] = useState(may.includes('keys.create'));
  const [rights, setRights] = useState(orgId ? standardRights : readOnly);
  const { data: limits = [] } = useQuery({ ...limitsQuery({ orgId, of: newKeys }), enabled: orgId !== '' });
  const create = useSave(
    async ({ lifetime, model, networks, amount, window, ...described }: Record<Field, string>) => {
      const created = await createKey(orgId, {
        ...described,
        ...(model.trim() && { default_model: model.trim() }),
        expires_in_days: lifetime === never ? null : Number(lifetime),
        scopes: [...rights.scopes],
        networks: networksIn(networks),
        ...(rights.models && { models: [...rights.models] }),
      });
      const scope = { orgId, of: { key_id: created.key_id } };
      const limit = { amount: Number(amount), window: window as NewLimit['window'], max_wait_seconds: null };
      // The key exists by now, and must be shown even if it got no limit.
      const failure =
        amount && (await createLimit(scope, { unit: 'requests', ...limit }).catch(({ message }) => message));
      return { ...created, failure: typeof failure === 'string' ? failure : '' };
    },
    [allKeysOf(orgId)],
  );
  if (!mayCreate) return null;
  if (create.data) {
    return (
      <CreatedKey
        created={create.data}
        rights={rights}
        defaultModel={create.variables.model.trim()}
        onClose={onClose}
      >
        {create.data.failure && (
          <Notice look="danger">The key has no limit of its own. {create.data.failure}</Notice>
        )}
      </CreatedKey>
    );
  }
  return (
    <FormDialog
      title="Create API Key"
      description={orgId ? ofOrganization : ofInstallation}
      names={fields}
      action="Create API Key"
      change={create}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        hint="What it is for, such as “search indexer”."
        maxLength={200}
        required
      />
      <SelectField
        label="Expires after"
        name="lifetime"
        options={orgId ? lifetimes : ends}
        defaultValue="365"
      />
      {orgId && (
        <TextField
          label="Default model"
          name="model"
          hint="The name or an alias of a served model, for clients that can’t choose one."
          placeholder="The service’s default"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <RightsFields rights={rights} onChange={setRights} />
      {limits.length > 0 && (
        <p className="text-muted">It gets the limits for new keys: {limits.map(describeLimit).join(', ')}.</p>
      )}
      {may.includes('limits.change-keys') && (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField
            label={limits.length > 0 ? 'Another request limit' : 'Request limit'}
            name="amount"
            type="number"
            min={1}
            placeholder="None"
          />
          <SelectField label="Resets" name="window" options={windowNames('Each')} defaultValue="day" />
        </div>
      )}
    </FormDialog>
  );
}
