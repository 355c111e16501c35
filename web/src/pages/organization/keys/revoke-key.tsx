import { useMutation } from '@tanstack/react-query';
import { type Key, revokeKey } from '../../../api/keys.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { refreshKeys } from './refresh-keys.ts';

interface Props {
  orgId: string;
  apiKey: Key;
  onClose: () => void;
}

export function RevokeKey({ orgId, apiKey, onClose }: Props) {
  const revoke = useMutation({
    mutationFn: () => revokeKey(orgId, apiKey.key_id),
    onSuccess: async () => {
      await refreshKeys(orgId);
      onClose();
    },
  });
  return (
    <Confirm
      title={`Revoke “${apiKey.name}”?`}
      description={`The key ${apiKey.hint} and the successors that it created by rotating itself stop working immediately. A successor that someone created with Rotate stays valid. This can’t be undone. Usage reports keep the key’s usage.`}
      action="Revoke"
      open
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={revoke.mutate}
      onCancel={onClose}
    />
  );
}
