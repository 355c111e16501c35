import { useMutation } from '@tanstack/react-query';
import { type Key, rotateKey } from '../../../api/keys.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
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
    <Dialog
      title={`Rotate “${apiKey.name}”`}
      description="A new key with the same lifetime takes its place. The old key keeps working for a while, but not beyond its own expiry, so that you can replace it everywhere without a failed request."
      open
      onOpenChange={onClose}
    >
      <form className="grid gap-4" onSubmit={(event) => rotate.mutate(formText(event, 'grace'))}>
        <SelectField label="The old key works for" name="grace" options={graces} defaultValue="86400" />
        <Problem error={rotate.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={rotate.isPending}>
            Rotate key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
