import { type Static, Type } from 'typebox';
import type { LimitUse as LimitUseRecord } from '../quota/stored-limit-use.ts';
import { ExternalId, Id, Nullable, PageResponse, Text } from './common.ts';
import { Limit, limitView } from './limit.ts';

const LimitUse = Type.Object(
  {
    org_id: Id(),
    org_name: Type.String(),
    external_id: Nullable(ExternalId),
    ...Limit.properties,
    key_name: Nullable(Text('The name of `key_id`. Null: there is no such key any more.')),
    user_name: Nullable(Text('The name of `user_id`. Null: there is no user with this id.')),
  },
  { title: 'LimitUse' },
);

export function limitUseView(limit: LimitUseRecord): Static<typeof LimitUse> {
  const { orgId, orgName, externalId, keyName, userName } = limit;
  const names = { key_name: keyName, user_name: userName };
  return { org_id: orgId, org_name: orgName, external_id: externalId, ...limitView(limit), ...names };
}

export const LimitUseListResponse = PageResponse(
  'LimitUseList',
  LimitUse,
  'A page of limits, by default with the largest used share first.',
);
