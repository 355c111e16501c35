import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { modelsQuery } from '../../../api/embeddings.ts';
import type { CreatedKey as Created } from '../../../api/keys.ts';
import { OnlyOnce, SecretDialog } from '../../../ui/secret.tsx';
import { Example } from './example.tsx';
import { FirstRequest } from './first-request.tsx';
import type { Rights } from './rights.tsx';

interface Props {
  created: Created;
  rights: Rights;
  /** Null or empty: the first that it may use. */
  defaultModel: string | null;
  onClose: () => void;
  /** Below the key. */
  children?: ReactNode;
}

/** The only time that a key is shown. */
export function CreatedKey({ created, rights, defaultModel, onClose, children }: Props) {
  const { data: models = [] } = useQuery(modelsQuery);
  // What the key may use, so that the example works with it.
  const model = rights.models ? rights.models[0] : (models[0]?.id ?? 'default');
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
      {model && rights.scopes.includes('embed') && (
        <>
          <Example secret={created.key} model={defaultModel || model} />
          <FirstRequest keyId={created.key_id} />
        </>
      )}
    </SecretDialog>
  );
}
