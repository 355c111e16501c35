import type { Organization } from '../../api/organizations.ts';
import { formatShare } from '../../lib/format.ts';
import { formatReset, quotaShare } from '../../lib/quota.ts';
import { QuotaBar } from '../../ui/quota-bar.tsx';
import { Headline, Panel } from './panel.tsx';

interface Props extends Pick<Organization, 'quota'> {
  nowMs: number;
}

/** What is used of the limit, in its own window. */
export function Standing({ quota, nowMs }: Props) {
  const share = quotaShare(quota);
  return (
    <Panel title={`This ${quota.window}`}>
      {share === null ? (
        <Headline figure="Unlimited" />
      ) : (
        <Headline figure={formatShare(share)} unit="of the quota" isBad={share >= 1} />
      )}
      <QuotaBar used={quota.used} limit={quota.limit} />
      <p className="text-muted">{formatReset(quota, nowMs)}</p>
    </Panel>
  );
}
