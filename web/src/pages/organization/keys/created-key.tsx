import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { modelsQuery } from '../../../api/embeddings.ts';
import type { CreatedKey as Created } from '../../../api/keys.ts';
import { OnlyOnce, SecretDialog } from '../../../ui/secret.tsx';
import { Example } from './example.tsx';
import { FirstRequest } from './first-request.tsx';

interface Props {
  created: Created;
  /** Null or empty: the service's. */
  defaultModel: string | null;
  onClose: () => void;
  /** Below the key. */
  children?: ReactNode;
}

/** The only time that a key is shown. */
export function CreatedKey({ created, defaultModel, onClose, children }: Props) {
  const { data: models = [] } = useQuery(modelsQuery);
  return (
    <SecretDialog
      title={`Your new key “${created.name}”`}
      notice={<OnlyOnce what="key" />}
      text={created.key}
      copy="Copy key"
      done="I’ve saved my key"
      onClose={onClose}
    >
      {children}
      <Example secret={created.key} model={defaultModel || (models[0]?.id ?? 'default')} />
      <FirstRequest keyId={created.key_id} />
    </SecretDialog>
  );
}
