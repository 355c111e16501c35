import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../../api/embeddings.ts';
import type { CreatedKey as Created } from '../../../api/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { CreatedKey } from './created-key.tsx';

interface Props {
  created: Created;
  /** Null: the service's. */
  defaultModel: string | null;
  onClose: () => void;
}

/** Closed only by its button, because a click outside must not lose the key. */
export function ShownOnce({ created, defaultModel, onClose }: Props) {
  const { data: models = [] } = useQuery(modelsQuery);
  return (
    <Dialog title={`Your new key “${created.name}”`} open onOpenChange={() => {}}>
      <CreatedKey
        orgId={created.org_id}
        keyId={created.key_id}
        secret={created.key}
        model={defaultModel ?? models[0]?.id ?? 'default'}
      />
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          I’ve saved my key
        </Button>
      </div>
    </Dialog>
  );
}
