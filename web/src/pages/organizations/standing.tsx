import type { Organization } from '../../api/organizations.ts';
import { formatCount, formatShare } from '../../lib/format.ts';
import { formatReset, isRate, quotaShare } from '../../lib/quota.ts';
import { QuotaBar } from '../../ui/quota-bar.tsx';
import { Headline, Panel } from './panel.tsx';

interface Props extends Pick<Organization, 'quota'> {
  nowMs: number;
}

/** The used part of the limit, in its own window. */
export function Standing({ quota, nowMs }: Props) {
  const { used, limit, unit, window } = quota;
  const share = quotaShare(quota);
  if (isRate(quota) && limit !== null) {
    return (
      <Panel title="Rate limit">
        <Headline figure={formatCount(limit)} unit={`${unit} per ${window}`} />
        <p className="text-muted">{formatReset(quota, nowMs)}</p>
      </Panel>
    );
  }
  return (
    <Panel title={`This ${window}`}>
      {share === null ? (
        <Headline figure="Unlimited" />
      ) : (
        <Headline figure={formatShare(share)} unit="of the quota" isBad={share >= 1} />
      )}
      <QuotaBar used={used} limit={limit} unit={unit} />
      <p className="text-muted">{formatReset(quota, nowMs)}</p>
    </Panel>
  );
}
