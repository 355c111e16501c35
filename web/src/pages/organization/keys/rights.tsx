import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allModelsQuery } from '../../../api/embeddings.ts';
import type { Scope } from '../../../api/keys.ts';
import { useKeyOwner } from '../../../lib/use-organization.ts';
import { Choices } from '../../../ui/choices.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';

export interface Rights {
  readonly scopes: readonly Scope[];
  /** Null: all. */
  readonly models: readonly string[] | null;
}

/** What a new key may do unless its creator chooses otherwise. */
export const standardRights: Rights = { scopes: ['embed', 'rerank', 'batch', 'read'], models: null };

const scopes = {
  embed: 'Embed texts',
  rerank: 'Rerank documents',
  batch: 'Send batches and files',
  read: 'Read models, keys, usage, limits and alerts',
} as const satisfies Partial<Record<Scope, string>>;
const managing = { 'manage:keys': 'Manage keys: such a key must expire, and can’t embed' } as const;
const ofInstallation = {
  read: 'Read organizations, keys, usage, limits and alerts',
  'manage:organizations': 'Create, change, suspend and delete organizations',
  'manage:keys': 'Manage keys, also those of the installation with at most the same scopes',
  'manage:limits': 'Change limits',
  'manage:users': 'Manage members, invitations and accounts',
  'manage:alerts': 'Change alert settings and channels',
  audit: 'Read the audit log',
} as const satisfies Partial<Record<Scope, string>>;

/** Returns the networks that a person has written. Null: none, so the key may be used from everywhere. */
export function networksIn(text: string): string[] | null {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  return networks.length > 0 ? networks : null;
}

interface Props {
  /** What the field of the name `networks` shows at first. */
  networks?: string;
  rights: Rights;
  onChange: (rights: Rights) => void;
}

/** Chooses what a key may do, and from where. */
export function RightsFields({ networks, rights, onChange }: Props) {
  const { org_id: orgId, may } = useKeyOwner();
  const { data: served = [] } = useQuery(allModelsQuery);
  // A key can have names that aren't served, or aren't served yet.
  const [own] = useState(rights.models ?? []);
  const models = [...new Set([...served.map(({ id }) => id), ...own])];
  const nameOf = (id: string) => (served.some((model) => model.id === id) ? id : `${id} (not served)`);
  const choose = (chosen: string[]) => onChange({ ...rights, scopes: chosen as Scope[] });
  const from = (
    <TextField
      label="Networks"
      name="networks"
      defaultValue={networks}
      hint="From where requests may come, such as 203.0.113.0/24, 2001:db8::/32. Empty: from everywhere."
      autoComplete="off"
      spellCheck={false}
    />
  );
  if (orgId === '')
    return (
      <>
        <Choices
          legend="Scopes"
          hint="What the key may do, in all organizations."
          options={ofInstallation}
          chosen={rights.scopes}
          onChange={choose}
        />
        {from}
      </>
    );
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-md py-1 text-accent">
        Scopes, models and networks
      </summary>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <Choices
          legend="Scopes"
          hint="What the key may do."
          options={may.includes('keys.let-manage') ? { ...scopes, ...managing } : scopes}
          chosen={rights.scopes}
          onChange={choose}
        />
        <div className="grid content-start gap-2">
          <Segmented
            legend="Models"
            options={{ all: 'All models', some: 'Only these' }}
            value={rights.models === null ? 'all' : 'some'}
            onChange={(which) => onChange({ ...rights, models: which === 'all' ? null : [] })}
          />
          {rights.models && (
            <Choices
              legend="Only these models"
              hint="By the names that requests write."
              options={Object.fromEntries(models.map((id) => [id, nameOf(id)]))}
              chosen={rights.models}
              onChange={(chosen) => onChange({ ...rights, models: chosen })}
            />
          )}
        </div>
        <div className="sm:col-span-2">{from}</div>
      </div>
    </details>
  );
}
