import { allKeysOf, type Key, rotateKey } from '../../../api/keys.ts';
import { useSave } from '../../../api/use-save.ts';
import { SelectField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { CreatedKey } from './created-key.tsx';

/** In seconds. */
const graces = { 3600: 'One hour', 86400: 'One day', 604800: 'One week' };

interface Props {
  apiKey: Key;
  onClose: () => void;
}

export function RotateKey({ apiKey, onClose }: Props) {
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
