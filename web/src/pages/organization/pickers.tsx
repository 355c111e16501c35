import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../../api/embeddings.ts';
import { keyQuery, keysQuery } from '../../api/keys.ts';
import { lastDays, usageQuery } from '../../api/usage.ts';
import { formatCount } from '../../lib/format.ts';
import { useLater } from '../../lib/use-later.ts';
import { useOrganization } from '../../lib/use-organization.ts';
import { Picker } from '../../ui/picker.tsx';

interface Props {
  /** Empty: all of them. */
  value: string;
  onChange: (value: string | undefined) => void;
}

/** Picks any key of the organization, those used last first, or one of the people who use the playground. */
export function KeyPicker({
  value,
  people = [],
  onChange,
}: Props & { people?: readonly { readonly id: string; readonly name: string }[] }) {
  const { org_id: orgId } = useOrganization();
  const [typed, type] = useState<string | null>(null);
  const q = useLater((typed ?? '').trim());
  const found = useInfiniteQuery({
    ...keysQuery(orgId, q ? { q } : { sort: '-last_used' }),
    enabled: typed !== null,
    placeholderData: keepPreviousData,
  });
  const person = people.find(({ id }) => id === value);
  const chosen = useQuery({ ...keyQuery(orgId, value), enabled: value !== '' && !person });
  return (
    <Picker
      name="Key"
      shown={value === '' ? 'All keys' : (person?.name ?? chosen.data?.name ?? value)}
      typed={typed}
      onType={type}
      all={{ label: 'All keys', run: () => onChange(undefined) }}
      items={[
        ...(found.data?.rows ?? []).map(({ key_id, name, hint, requests_30d }) => ({
          words: key_id,
          label: name,
          aside: `${hint} · ${formatCount(requests_30d)} in 30 days`,
          run: () => onChange(key_id),
        })),
        ...people.map(({ id, name }) => ({
          words: id,
          label: name,
          aside: 'playground',
          run: () => onChange(id),
        })),
      ]}
    />
  );
}

/** Picks a model that is served, or was used in the last days. */
export function ModelPicker({ value, onChange }: Props) {
  const { org_id: orgId } = useOrganization();
  const [typed, type] = useState<string | null>(null);
  const { data: served = [] } = useQuery(modelsQuery);
  const usage = useQuery({
    ...usageQuery(orgId, lastDays, undefined, { maxKeys: 0 }),
    enabled: typed !== null,
  });
  const names = new Set([
    ...(usage.data?.models ?? []).flatMap(({ model }) => model ?? []),
    ...served.filter(({ alias_of }) => alias_of === undefined).map(({ id }) => id),
  ]);
  return (
    <Picker
      name="Model"
      shown={value || 'All models'}
      typed={typed}
      onType={type}
      all={{ label: 'All models', run: () => onChange(undefined) }}
      items={[...names].map((label) => ({ label, run: () => onChange(label) }))}
    />
  );
}
