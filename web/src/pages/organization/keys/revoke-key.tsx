import { useQuery } from '@tanstack/react-query';
import { allKeysOf, type Key, revokeKey } from '../../../api/keys.ts';
import { histogramQuery } from '../../../api/requests.ts';
import { useSave } from '../../../api/use-save.ts';
import { formatAgo, formatCount } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Confirm } from '../../../ui/confirm.tsx';

interface Props {
  /** The keys to revoke. */
  apiKeys: readonly Key[];
  onClose: () => void;
}

export function RevokeKey({ apiKeys, onClose }: Props) {
  const { org_id: orgId } = useOrganization();
  const [first, ...others] = apiKeys;
  const revoke = useSave(
    async () => {
      for (const { key_id } of apiKeys) await revokeKey(orgId, key_id);
    },
    [allKeysOf(orgId)],
    onClose,
  );
  if (!first) return null;
  const isOne = others.length === 0;
  return (
    <Confirm
      title={isOne ? `Revoke “${first.name}”?` : `Revoke ${apiKeys.length} keys?`}
      description={
        isOne
          ? `${first.hint} stops working immediately. Keys that it created by rotating itself are revoked too; a key that a person created with Rotate keeps working. This can’t be undone. Usage reports keep the key’s usage.`
          : `They stop working immediately. This can’t be undone: ${apiKeys.map(({ name }) => name).join(', ')}.`
      }
      action={isOne ? 'Revoke' : `Revoke ${apiKeys.length} keys`}
      change={revoke}
      onClose={onClose}
    >
      {isOne && <RecentUse apiKey={first} />}
    </Confirm>
  );
}

/** What would fail from now on. */
function RecentUse({ apiKey }: { apiKey: Key }) {
  const { data } = useQuery(histogramQuery(apiKey.org_id, { key_id: apiKey.key_id }));
  if (apiKey.last_used_at === null) return <p className="font-medium">This key was never used.</p>;
  const requests = (data?.buckets ?? []).reduce((sum, { counted, cached }) => sum + counted + cached, 0);
  return (
    <p className="font-medium">
      Last used {formatAgo(apiKey.last_used_at)}
      {requests > 0 && `; ${formatCount(requests)} requests in the last hour, which would fail`}.
    </p>
  );
}
