import { useQuery } from '@tanstack/react-query';
import { allModelsQuery } from '../../../api/embeddings.ts';
import type { Scope } from '../../../api/keys.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Choices } from '../../../ui/choices.tsx';

export interface Rights {
  readonly scopes: readonly Scope[];
  /** Empty: all. */
  readonly models: readonly string[];
}

/** What a new key may do unless its creator chooses otherwise. */
export const standardRights: Rights = { scopes: ['embed', 'rerank', 'batch', 'read'], models: [] };

const scopes = {
  embed: 'Embed texts',
  rerank: 'Rerank documents',
  batch: 'Send batches and files',
  read: 'Read models, keys, usage, limits and alerts',
} as const satisfies Partial<Record<Scope, string>>;
const managing = { 'manage:keys': 'Manage keys: such a key must expire, and can’t embed' } as const;

interface Props {
  rights: Rights;
  onChange: (rights: Rights) => void;
}

/** Chooses what a key may do. */
export function RightsFields({ rights, onChange }: Props) {
  const { may } = useOrganization();
  const { data: models = [] } = useQuery(allModelsQuery);
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-md py-1 text-accent">Scopes and models</summary>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <Choices
          legend="Scopes"
          hint="What the key may do."
          options={may.includes('keys.let-manage') ? { ...scopes, ...managing } : scopes}
          chosen={rights.scopes}
          onChange={(chosen) => onChange({ ...rights, scopes: chosen as Scope[] })}
        />
        <Choices
          legend="Models"
          hint="All, unless you choose some."
          options={Object.fromEntries(models.map(({ id }) => [id, id]))}
          chosen={rights.models}
          onChange={(chosen) => onChange({ ...rights, models: chosen })}
        />
      </div>
    </details>
  );
}
