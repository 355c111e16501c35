import { useMutation } from '@tanstack/react-query';
import { type Key, rotateKey } from '../../../api/keys.ts';
import { SelectField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { refreshKeys } from './refresh-keys.ts';
import { ShownOnce } from './shown-once.tsx';

/** In seconds. */
const graces = { 3600: 'One hour', 86400: 'One day', 604800: 'One week' };

interface Props {
  orgId: string;
  apiKey: Key;
  onClose: () => void;
}

export function RotateKey({ orgId, apiKey, onClose }: Props) {
  const rotate = useMutation({
    mutationFn: ({ grace }: { grace: string }) => rotateKey(orgId, apiKey.key_id, Number(grace)),
    onSuccess: () => refreshKeys(orgId),
  });
  if (rotate.data)
    return <ShownOnce created={rotate.data} defaultModel={apiKey.default_model} onClose={onClose} />;
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
