import { Type } from 'typebox';
import type { LimitUse as LimitUseRecord } from '../quota/stored-limit-use.ts';
import { ExternalId, Id, Nullable, PageResponse, Text } from './common.ts';
import { Limit, limitView } from './limit.ts';
import { viewOf } from './view.ts';

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
