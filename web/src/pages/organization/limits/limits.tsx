import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Limit, type LimitScope, limitsQuery, newKeys } from '../../../api/limits.ts';
import { formatShare } from '../../../lib/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { MenuItem, RowMenu } from '../../../ui/menu.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { actions, type Row, RowName, row, Table } from '../../../ui/table.tsx';
import { LimitAction, type LimitIntent } from './limit-action.tsx';
import { LimitReset } from './limit-reset.tsx';
import { describeLimit, describeMore, formatAmount } from './limit-text.ts';

const columns = ['Limit', { name: 'Used', numeric: true }, 'Resets', actions];

interface Props {
  /** Undefined: the organization itself. */
  of?: LimitScope['of'];
  /** Within a sentence. */
  name?: string;
  title?: string;
  /** One sentence. */
  description?: string;
}

/** The limits of a key, a member, new keys or the organization. */
export function Limits({
  of,
  name = 'all requests of the organization',
  title = 'Limits',
  description,
}: Props) {
  const { org_id: orgId, may } = useOrganization();
  const scope = { orgId, ...(of && { of }), name };
  const mayChangeAll = may.includes('limits.change-organization');
  const mayChange = of ? may.includes('limits.change-keys') : mayChangeAll;
  const query = useQuery(limitsQuery(scope));
  const [intent, setIntent] = useState<LimitIntent | null>(null);
  const nowMs = useNow(10_000);
  const rowOf = (limit: Limit): Row => {
    const { limit_id, used, amount } = limit;
    const name = describeLimit(limit);
    const mayChangeIt = limit.set_by === 'organization' ? may.includes('limits.change-keys') : mayChangeAll;
    const counted = [
      <span key="used" className={used >= amount ? 'font-medium text-danger' : undefined}>
        {formatAmount(used, limit.unit)} ({formatShare(used / amount)})
      </span>,
      <LimitReset key="resets" limit={limit} nowMs={nowMs} />,
    ];
    return row(
      limit_id,
      <RowName name={name} more={describeMore(limit)} />,
      ...(limit.applies_to === 'requests' ? counted : []),
      mayChangeIt && limit.set_by !== 'tier' && (
        <RowMenu name={name}>
          <MenuItem onSelect={() => setIntent({ does: 'change', limit })}>Change amount…</MenuItem>
          <MenuItem onSelect={() => setIntent({ does: 'remove', limit })}>Remove</MenuItem>
        </RowMenu>
      ),
    );
  };
  return (
    <Card
      title={title}
      description={description}
      actions={mayChange && <Button onClick={() => setIntent({ does: 'add' })}>Add a limit</Button>}
    >
      <Loaded query={query} placeholder={<SkeletonRows rows={2} />}>
        {(limits) =>
          limits.length === 0 ? (
            <Empty title="No extra limits. The monthly quota applies.">
              {mayChange
                ? 'A limit can count requests, tokens or costs.'
                : `${of ? 'Owners and admins' : 'Administrators'} can add one.`}
            </Empty>
          ) : (
            <Table
              caption={title}
              columns={of === newKeys ? ['Limit', actions] : columns}
              rows={limits.map(rowOf)}
            />
          )
        }
      </Loaded>
      {intent && <LimitAction scope={scope} intent={intent} onClose={() => setIntent(null)} />}
    </Card>
  );
}
