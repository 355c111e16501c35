import { type Static, Type } from 'typebox';
import {
  type LimitFilter,
  type LimitUse as LimitUseRecord,
  limitOwners,
  limitUseList,
} from '../quota/stored-limit-use.ts';
import { Choice, ExternalId, Id, Nullable, PageQuery, PageResponse, Text, Whole } from './common.ts';
import { Limit, limitView } from './limit.ts';
import { viewOf } from './view.ts';

export const LimitUseQuery = PageQuery(limitUseList, {
  of: Type.Optional(
    Choice(limitOwners, 'Lists only the limits of whole organizations, of keys, of people, or of new keys.'),
  ),
  unit: Type.Optional(Limit.properties.unit),
  min_used_percent: Type.Optional(
    Whole('Lists only limits of which at least this share is used now.', { minimum: 0, maximum: 100 }),
  ),
});

/** Returns the filter of a query. */
export function limitFilterOf({ of, unit, min_used_percent }: Static<typeof LimitUseQuery>): LimitFilter {
  return { of, unit, minUsedPercent: min_used_percent };
}

const Names = Type.Object({
  org_id: Id(),
  org_name: Type.String(),
  external_id: Nullable(ExternalId),
  key_name: Nullable(Text('The name of `key_id`. Null: there is no such key any more.')),
  user_name: Nullable(Text('The name of `user_id`. Null: there is no user with this id.')),
});
const LimitUse = Type.Object({ ...Names.properties, ...Limit.properties }, { title: 'LimitUse' });
const namesView = viewOf(Names);

export const limitUseView = (limit: LimitUseRecord, inProgress: (limitId: string) => number) => ({
  ...namesView(limit),
  ...limitView(limit, inProgress),
});

export const LimitUseListResponse = PageResponse(
  'LimitUseList',
  LimitUse,
  'A page of limits, by default with the largest used share first.',
);
