import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { type LimitUse, limitsByUseQuery } from '../../api/limits.ts';
import { isStatus } from '../../api/problem.ts';
import { OrganizationPage } from '../../frame/organization-page.tsx';
import { useAddress } from '../../lib/use-address.ts';
import { useNow } from '../../lib/use-now.ts';
import { OrganizationId } from '../../lib/use-organization.ts';
import { ShareBar, usedLook } from '../../ui/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { RowName, row, Table } from '../../ui/table.tsx';
import { NotFound } from '../not-found.tsx';
import { LimitReset } from '../organization/limits/limit-reset.tsx';
import { describeLimit, describeMore, formatAmount, units } from '../organization/limits/limit-text.ts';

const columns = [
  { name: 'For', isLongName: true },
  'Limit',
  { name: 'Used', numeric: true },
  { name: 'Share', numeric: true },
  'Resets',
];
const owners = { organization: 'Whole organizations', key: 'Keys', user: 'People', new_keys: 'New keys' };
const shares = { 50: '50% used or more', 80: '80% used or more', 100: 'Used up' };
/** What the list can be narrowed down to, by the names that the address has. */
const choices = {
  of: ['Whose limits', { '': 'All limits', ...owners }],
  unit: ['Unit', { '': 'All units', ...units }],
  used: ['Used share', { '': 'Any share', ...shares }],
} as const;

/**
 * Returns whose requests a limit counts, and where it can be changed: a page below the organization's, with the search
 * of its address.
 */
function scopeOf({ key_id, key_name, user_id, user_name, applies_to }: LimitUse): [string, string, object] {
  if (key_id) return [`Key ${key_name ?? key_id}`, `keys/${key_id}`, {}];
  if (user_id) return [user_name ?? user_id, 'members', { open: user_id }];
  return applies_to === 'new_keys' ? ['New keys', 'keys', { tab: 'limits' }] : ['All requests', 'plan', {}];
}

/** The limits of an organization or, on a page of none, of all: those that are nearly used up come first. */
export default function AllLimits() {
  const orgId = useContext(OrganizationId);
  const [search, change] = useAddress();
  const { of = '', unit = '', used: share = '' } = search;
  const isFiltered = `${of}${unit}${share}` !== '';
  const filter = { of, unit, min_used_percent: share };
  const query = useInfiniteQuery({ ...limitsByUseQuery(orgId, filter), placeholderData: keepPreviousData });
  const nowMs = useNow(10_000);
  if (isStatus(query.error, 403)) return <NotFound />;
  const rowOf = (limit: LimitUse) => {
    const { limit_id, org_id, org_name, used, amount, applies_to } = limit;
    const [whose, path, search] = scopeOf(limit);
    const organization = `/organizations/${org_id}`;
    const counts = applies_to === 'requests';
    return row(
      limit_id,
      ...(orgId ? [] : [<RowName key="of" name={org_name} to={`${organization}/usage`} />]),
      <Link
        to={`${organization}/${path}`}
        search={search as never}
        title={whose}
        className="block max-w-60 truncate hover:underline"
      >
        {whose}
      </Link>,
      <span className="block sm:max-xl:min-w-32 sm:max-xl:whitespace-normal">
        {describeLimit(limit)}
        <span className="block text-muted">{describeMore(limit)}</span>
      </span>,
      counts && formatAmount(used, limit.unit),
      counts && <ShareBar share={used / amount} look={usedLook(used / amount)} />,
      counts && <LimitReset limit={limit} nowMs={nowMs} />,
    );
  };
  const Frame = orgId ? OrganizationPage : Page;
  return (
    <Frame title="Limits">
      <div className="grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-center gap-2">
          {Object.entries(choices).map(([name, [label, options]]) => (
            <Select
              key={name}
              aria-label={label}
              options={options}
              value={search[name] ?? ''}
              onChange={(next) => change({ [name]: next })}
            />
          ))}
          {isFiltered && (
            <Button look="quiet" onClick={() => change({ of: '', unit: '', used: '' })}>
              Clear filters
            </Button>
          )}
        </div>
        <LoadMore query={query} name="limits" rows={10}>
          {(limits) =>
            limits.length === 0 ? (
              <Empty
                title={
                  isFiltered
                    ? 'No limit matches the filters.'
                    : `No ${orgId ? 'limits' : 'organization has a limit'} beside the quota.`
                }
              />
            ) : (
              <Table
                caption={orgId ? 'Limits' : 'Limits of all organizations'}
                columns={orgId ? columns : ['Organization', ...columns]}
                rows={limits.map(rowOf)}
              />
            )
          }
        </LoadMore>
      </div>
    </Frame>
  );
}
