import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import { keyView, organizationView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { commonErrors, ErrorBody, OrgParams } from '../schemas/common.ts';
import { KeyListResponse, OrganizationResponse } from '../schemas/organizations.ts';

export function organizationRoutes(app: App, { organizations, keys, ledger }: Services): void {
  const shared = { tags: ['Organizations'], security: [{ apiKey: [] }], params: OrgParams };

  app.get(
    '/v1/organizations/:org_id',
    {
      schema: {
        ...shared,
        operationId: 'getOrganization',
        summary: 'An organization and its quota',
        response: { 200: OrganizationResponse, ...commonErrors, 404: ErrorBody },
      },
      preHandler: ownOrganization,
    },
    async (request) => {
      const { org_id } = request.params;
      const [organization, standing] = await Promise.all([
        organizations.get(org_id),
        ledger.readStanding(org_id),
      ]);
      return organizationView(organization, standing);
    },
  );

  app.get(
    '/v1/organizations/:org_id/keys',
    {
      schema: {
        ...shared,
        operationId: 'listKeys',
        summary: 'The keys of an organization, newest first',
        response: { 200: KeyListResponse, ...commonErrors, 404: ErrorBody },
      },
      preHandler: ownOrganization,
    },
    async (request) => ({
      object: 'list' as const,
      data: (await keys.list(request.params.org_id)).map(keyView),
    }),
  );
}

/** Another organization and one that does not exist look the same. */
async function ownOrganization(request: Parameters<typeof callerOf>[0]): Promise<void> {
  const { org_id } = request.params as OrgParams;
  if (callerOf(request).orgId !== org_id) throw new ServiceError('not_found', 'No such organization');
}
