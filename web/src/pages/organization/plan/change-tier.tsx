import type { Organization } from '../../../api/organizations.ts';
import { formatCount, formatShare } from '../../../lib/format.ts';
import { Confirm } from '../../../ui/confirm.tsx';

export type Limit = Pick<Organization['quota'], 'limit' | 'unit' | 'window'>;

/** Reports whether a change of the limit may cause refusals of requests that are served now. */
export function isLower(next: Limit, { limit, unit, window }: Limit): boolean {
  if (next.limit === null) return false;
  return limit === null || next.window !== window || next.unit !== unit || next.limit < limit;
}

interface Props {
  quota: Organization['quota'];
  next: Limit;
  name: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before a limit is lowered, and says what that does to the requests of the organization. */
export function ChangeTier({ quota, next: { limit, unit, window }, name, onConfirm, onCancel }: Props) {
  const lower = `The limit becomes ${formatCount(limit ?? 0)} ${unit} per ${window}, effective immediately.`;
  const isSame = window === quota.window && unit === quota.unit;
  const isOver = limit !== null && isSame && quota.used >= limit;
  const consequence = isOver
    ? `${formatCount(quota.used)} ${unit} are already used${limit > 0 ? `, which is ${formatShare(quota.used / limit)} of it` : ''}. Every API key gets 429 for requests that are not in the cache, until the ${window} ends.`
    : isSame
      ? 'Current usage carries over.'
      : window === 'month' && unit === 'requests'
        ? 'All requests of this month count toward it, so the organization may be over quota immediately.'
        : 'What is used counts toward it from now on.';
  return (
    <Confirm
      title={
        isOver ? `Put this organization over quota with the plan ${name}?` : `Change the plan to ${name}?`
      }
      description={`${lower} ${consequence}`}
      action="Update plan"
      open
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
