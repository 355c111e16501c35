import { type Action, permitted, type Standing } from '../../accounts/access.ts';
import type { Organization } from '../../accounts/organizations.ts';
import { ServiceError } from '../../errors.ts';
import type { Limit } from '../../quota/tiers.ts';
import type { WindowKind } from '../../quota/window.ts';
import type { Services } from '../../service/services.ts';
import { organizationView, tierView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { standingOn } from '../plugins/access.ts';
import { principalOn, userOn } from '../plugins/identify.ts';
import { NoContent, OrgParams } from '../schemas/common.ts';
import {
  AccessResponse,
  CreateOrganizationRequest,
  OrganizationListResponse,
  OrganizationResponse,
  RenameOrganizationRequest,
  SetTierRequest,
  TierListResponse,
} from '../schemas/organizations.ts';

const tags = ['Organizations'];
const path = '/v1/organizations/:org_id';

export function organizationRoutes(app: App, services: Services): void {
  const { organizations, ledger, config } = services;
  const { tiers } = config;
  const view = async (organization: Organization) =>
    organizationView(organization, await ledger.readStanding(organization.orgId));

  app.get(
    '/v1/tiers',
    {
      config: { access: 'identified' },
      schema: {
        operationId: 'listTiers',
        summary: 'List the tiers',
        description: 'What organizations can be entitled to.',
        tags,
        response: { 200: TierListResponse },
      },
    },
    async () => ({
      object: 'list' as const,
      data: tiers.all.map((tier) => tierView(tier, tier.name === tiers.default)),
    }),
  );

  app.get(
    '/v1/organizations',
    {
      config: { access: 'identified' },
      schema: {
        operationId: 'listOrganizations',
        summary: 'The organizations that the caller belongs to',
        tags,
        response: { 200: OrganizationListResponse },
      },
    },
    async (request) => {
      const principal = principalOn(request);
      const found =
        principal.kind === 'key'
          ? [{ organization: await organizations.get(principal.orgId), standing: 'key' as const }]
          : await organizationsOf(principal, services);
      const data = await Promise.all(
        found.map(async ({ organization, standing }) => ({
          ...(await view(organization)),
          ...accessView(standing),
        })),
      );
      return { object: 'list' as const, data };
    },
  );

  app.post(
    '/v1/organizations',
    {
      config: { access: 'administrator' },
      schema: {
        operationId: 'createOrganization',
        summary: 'Create an organization',
        description: 'The user who creates it is its first owner.',
        tags,
        body: CreateOrganizationRequest,
        response: { 201: OrganizationResponse },
      },
    },
    async (request, reply) => {
      const { name, tier } = request.body;
      const custom = customLimit(request.body);
      const organization = await organizations.create({ name, tier, custom }, userOn(request).userId);
      reply.code(201);
      return view(organization);
    },
  );

  app.get(
    path,
    {
      config: { access: 'organization.read' },
      schema: {
        operationId: 'getOrganization',
        summary: 'An organization and its quota',
        tags,
        params: OrgParams,
        response: { 200: OrganizationResponse },
      },
    },
    async (request) => view(await organizations.get(request.params.org_id)),
  );

  app.get(
    `${path}/access`,
    {
      config: { access: 'organization.read' },
      schema: {
        operationId: 'getAccess',
        summary: 'What the caller may do in an organization',
        tags,
        params: OrgParams,
        response: { 200: AccessResponse },
      },
    },
    async (request) => accessView(standingOn(request)),
  );

  app.patch(
    path,
    {
      config: { access: 'organization.rename' },
      schema: {
        operationId: 'renameOrganization',
        summary: 'Rename an organization',
        tags,
        params: OrgParams,
        body: RenameOrganizationRequest,
        response: { 200: OrganizationResponse },
      },
    },
    async (request) => {
      const { org_id } = request.params;
      await organizations.rename(org_id, request.body.name);
      return view(await organizations.get(org_id));
    },
  );

  app.put(
    `${path}/tier`,
    {
      config: { access: 'organization.set-tier' },
      schema: {
        operationId: 'setTier',
        summary: 'Change the tier, or agree on a custom limit',
        description: 'Holds from the next request on; what was used stays used.',
        tags,
        params: OrgParams,
        body: SetTierRequest,
        response: { 200: OrganizationResponse },
      },
    },
    async (request) => {
      const { tier } = request.body;
      return view(await organizations.setTier(request.params.org_id, tier, customLimit(request.body)));
    },
  );

  app.delete(
    path,
    {
      config: { access: 'organization.delete' },
      schema: {
        operationId: 'deleteOrganization',
        summary: 'Delete an organization, with its keys and all that is known of its usage',
        description:
          'Permanent. Its keys are refused from the next request on. Its usage can no longer be read, and is deleted soon afterwards.',
        tags,
        params: OrgParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await organizations.delete(request.params.org_id);
      return reply.code(204).send(null);
    },
  );
}

async function organizationsOf(
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
  { organizations, members }: Services,
): Promise<{ organization: Organization; standing: Standing }[]> {
  if (isAdmin) {
    const all = await organizations.list();
    return all.map((organization) => ({ organization, standing: 'administrator' }));
  }
  const memberships = await members.of(userId);
  return Promise.all(
    memberships.map(async ({ orgId, role }) => ({
      organization: await organizations.get(orgId),
      standing: role,
    })),
  );
}

function accessView(standing: Standing): { role: Exclude<Standing, 'stranger'>; may: Action[] } {
  if (standing === 'stranger') throw new ServiceError('not_found', 'No such organization');
  return { role: standing, may: permitted(standing) };
}

function customLimit(body: { limit?: number | null; window?: string }): Limit | null {
  if (body.limit === undefined || body.limit === null) {
    if (body.window === undefined) return null;
    throw new ServiceError('invalid_request', 'window needs a limit', { param: 'window' });
  }
  return { requests: body.limit, window: (body.window ?? 'month') as WindowKind };
}
