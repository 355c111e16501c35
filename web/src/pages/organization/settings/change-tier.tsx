import type { Organization } from '../../../api/organizations.ts';
import { formatCount, formatShare } from '../../../lib/format.ts';
import { Confirm } from '../../../ui/confirm.tsx';

export type Limit = Pick<Organization['quota'], 'limit' | 'window'>;

/** Reports whether a change of the limit may cause refusals of requests that are served now. */
export function isLower(next: Limit, { limit, window }: Limit): boolean {
  if (next.limit === null) return false;
  return limit === null || next.window !== window || next.limit < limit;
}

interface Props {
  quota: Organization['quota'];
  next: Limit;
  name: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before a limit is lowered, and says what that does to the requests of the organization. */
export function ChangeTier({ quota, next: { limit, window }, name, onConfirm, onCancel }: Props) {
  const lower = `The limit becomes ${formatCount(limit ?? 0)} requests per ${window}, effective immediately.`;
  const isOver = limit !== null && window === quota.window && quota.used >= limit;
  const consequence = isOver
    ? `${formatCount(quota.used)} requests are already used${limit > 0 ? `, which is ${formatShare(quota.used / limit)} of it` : ''}. Every API key gets 429 for requests that are not in the cache, until the ${window} ends.`
    : window === quota.window
      ? 'Current usage carries over.'
      : window === 'month'
        ? 'All requests of this month count toward it, so the organization may be over quota immediately.'
        : 'Requests count toward it from now on.';
  return (
    <Confirm
      title={
        isOver ? `Put this organization over quota with the tier ${name}?` : `Change the tier to ${name}?`
      }
      description={`${lower} ${consequence}`}
      action="Update tier"
      open
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
