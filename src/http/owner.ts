import { type Static, Type } from 'typebox';
import { OrgParams } from '../api/common.ts';

const MaybeOrgParams = Type.Object({ org_id: Type.Optional(OrgParams.properties.org_id) });

/** What the path of a route says about whose records it is about. `org_id` undefined: the installation's. */
export type Owner = Static<typeof MaybeOrgParams>;

/** Returns what the routes of a resource state that organizations have, and the installation too. */
export function routesOf(whose: 'organization' | 'installation') {
  const isOfAll = whose === 'installation';
  return {
    base: isOfAll ? '/v1' : '/v1/organizations/:org_id',
    OwnerParams: (isOfAll ? Type.Object({}) : OrgParams) as typeof MaybeOrgParams,
    id: (operationId: string) => (isOfAll ? `${operationId}OfInstallation` : operationId),
    summary: (text: string) => (isOfAll ? `${text}, for the installation` : text),
  };
}
