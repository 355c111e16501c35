import { allKeysOf, createKey } from '../../../api/keys.ts';
import { useSave } from '../../../api/use-save.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { CreatedKey } from './created-key.tsx';

const never = 'never';
/** In days. */
const lifetimes = { 30: '30 days', 90: '90 days', 365: 'One year', [never]: 'Never' };

export function CreateKey({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const create = useSave(
    ({ lifetime, model, ...described }: Record<'lifetime' | 'name' | 'model', string>) =>
      createKey(orgId, {
        ...described,
        ...(model.trim() && { default_model: model.trim() }),
        expires_in_days: lifetime === never ? null : Number(lifetime),
      }),
    [allKeysOf(orgId)],
  );
  if (create.data) {
    return (
      <CreatedKey created={create.data} defaultModel={create.variables.model.trim()} onClose={onClose} />
    );
  }
  return (
    <FormDialog
      title="Create API Key"
      description="The key can embed texts, and read the organization’s keys, usage and alerts. It can’t create keys or change settings. Its requests count against the quota."
      names={['name', 'lifetime', 'model']}
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
      <SelectField label="Expires after" name="lifetime" options={lifetimes} defaultValue="365" />
      <TextField
        label="Default model"
        name="model"
        hint="The name or an alias of a served model, for clients that can’t choose one."
        placeholder="The service’s default"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  );
}
