import { Type } from 'typebox';
import { ExternalId, listView, NoContent, OrgParams, PageQuery, pageView, Text } from '../../api/common.ts';
import {
  AccessResponse,
  accessView,
  activityView,
  ChangeOrganizationRequest,
  CreateOrganizationRequest,
  DeletedResponse,
  DeletionQuery,
  listedOrganizationView,
  needFigures,
  OrganizationDetailsResponse,
  OrganizationListResponse,
  OrganizationResponse,
  organizationFields,
  organizationView,
  PutOrganizationRequest,
  SetTierRequest,
} from '../../api/organization.ts';
import { TierListResponse, tierView } from '../../api/tier.ts';
import { invalidField } from '../../errors.ts';
import { allRows } from '../../lib/page.ts';
import { requireMay } from '../../organizations/access.ts';
import type { Organization } from '../../organizations/organization.ts';
import { type OverviewRow, overviewList } from '../../organizations/overview.ts';
import type { QuotaLimit } from '../../quota/tiers.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { principalOn } from '../plugins/identify.ts';

const path = '/v1/organizations/:org_id';

export function organizationRoutes(app: App, services: Services): void {
  const { members, userChanges, organizations, overview, ledger, config, clock, usage, alerting } = services;
  const { tiers } = config;
  const view = async (organization: Organization) =>
    organizationView(organization, await ledger.readStanding(organization.orgId));

  app.get(
    '/v1/tiers',
    described('identified', 'listTiers', 'List the tiers', {
      description: 'The tiers that organizations can have.',
      response: { 200: TierListResponse },
    }),
    async () => listView(tiers.all.map((tier) => tierView(tier, tier.name === tiers.default))),
  );

  app.get(
    '/v1/organizations',
    described('identified', 'listOrganizations', 'List the organizations of the caller', {
      querystring: PageQuery(overviewList, {
        external_id: Type.Optional(Text('Lists only the organization with this external id.')),
        fields: Type.Optional(Text('Returns only these fields, such as `org_id,name`. Default: all.')),
      }),
      response: { 200: OrganizationListResponse },
    }),
    async (request) => {
      const { external_id: externalId, fields, ...query } = request.query;
      const wanted = organizationFields(fields);
      const principal = principalOn(request);
      const isKey = principal.kind === 'key';
      const isOfAll = isKey ? principal.orgId === null : principal.isAdmin;
      const own = isKey ? { orgId: principal.orgId! } : { userId: principal.userId };
      const of = { ...(isOfAll ? {} : own), externalId };
      const page = await overview.page(of, query, needFigures(wanted));
      const view = ({ role, ...row }: OverviewRow) =>
        listedOrganizationView(row, role ?? (isKey ? principal : 'administrator'), clock.now(), wanted);
      return pageView(page, view);
    },
  );

  app.post(
    '/v1/organizations',
    described('organizations.create', 'createOrganization', 'Create an organization', {
      description:
        'The user who creates the organization becomes its first owner. One that a key of the installation creates ' +
        'has no owner.',
      body: CreateOrganizationRequest,
      response: { 201: OrganizationResponse },
    }),
    async (request) => {
      const { name, tier, external_id: externalId } = request.body;
      const custom = customLimit(request.body);
      const principal = principalOn(request);
      const ownerId = principal.kind === 'user' ? principal.userId : undefined;
      return view(await organizations.create({ name, tier, custom, externalId }, ownerId));
    },
  );

  app.put(
    '/v1/organizations/external/:external_id',
    described('organizations.create', 'putOrganization', 'Create or change an organization by your own id', {
      description:
        'Creates the organization with this `external_id`, or changes it to what the request states: a field that is ' +
        'absent stays as it is. The same request again has the same result, so a program that was interrupted can start ' +
        'again. The organization has no owner.',
      params: Type.Object({ external_id: ExternalId }),
      body: PutOrganizationRequest,
      response: { 200: OrganizationResponse },
    }),
    async (request) => {
      const { name, tier, suspended } = request.body;
      const { limit, window } = request.body;
      const custom = limit === undefined && window === undefined ? undefined : customLimit(request.body);
      const { external_id: externalId } = request.params;
      return view(await organizations.put(externalId, { name, tier, custom, suspended }));
    },
  );

  app.get(
    path,
    described('organization.read', 'getOrganization', 'Get an organization and its quota', {
      params: OrgParams,
      response: { 200: OrganizationDetailsResponse },
    }),
    async (request) => {
      const { org_id: orgId } = request.params;
      const principal = principalOn(request);
      const [shown, activity] = await Promise.all([
        organizations.get(orgId).then(view),
        usage.activity(orgId, principal.kind === 'user' ? principal.userId : null),
      ]);
      return { ...shown, ...accessView(request.relation), ...activityView(activity) };
    },
  );

  app.get(
    `${path}/access`,
    described('organization.read', 'getAccess', 'Get the caller’s permissions in an organization', {
      params: OrgParams,
      response: { 200: AccessResponse },
    }),
    async (request) => accessView(request.relation),
  );

  app.patch(
    path,
    described('organization.rename', 'changeOrganization', 'Rename, suspend or resume an organization', {
      description:
        'While an organization is suspended, each request with one of its keys gets 403 and the sentence of the ' +
        'operator, also for texts in the cache, and its batches wait. Nothing is deleted. It takes effect with the ' +
        'next request, and within a second on other replicas. Owners and admins can change the name only.',
      params: OrgParams,
      body: ChangeOrganizationRequest,
      response: { 200: OrganizationResponse },
    }),
    async (request) => {
      const { org_id } = request.params;
      const { name, external_id: externalId, suspended } = request.body;
      if (externalId !== undefined || suspended !== undefined)
        requireMay(request.relation, 'organization.suspend');
      await organizations.change(org_id, { name, externalId, suspended });
      return view(await organizations.get(org_id));
    },
  );

  app.put(
    `${path}/tier`,
    described('organization.set-tier', 'setTier', 'Change the tier, or set a custom limit', {
      description: 'Takes effect with the next request. Requests that have been counted stay counted.',
      params: OrgParams,
      body: SetTierRequest,
      response: { 200: OrganizationResponse },
    }),
    async (request) => {
      const { org_id: orgId } = request.params;
      const changed = await organizations.setTier(orgId, request.body.tier, customLimit(request.body));
      alerting.watch.check(orgId, clock.now());
      return view(changed);
    },
  );

  app.delete(
    `${path}/vectors`,
    described('vectors.purge', 'purgeVectors', 'Purge the cached vectors of an organization', {
      description:
        'From the next request on, every text is computed and counted again. The vectors in the cache can’t be ' +
        'decrypted any more.',
      params: OrgParams,
      response: { 204: NoContent },
    }),
    async (request) => organizations.purgeVectors(request.params.org_id),
  );

  app.delete(
    path,
    described('organization.delete', 'deleteOrganization', 'Delete an organization, its keys and its usage', {
      description:
        'Permanent. The keys are rejected from the next request on. The usage can’t be read any more, and is ' +
        'deleted soon afterwards. Its cached vectors can’t be decrypted any more. Administrators and keys of the ' +
        'installation can delete its people too, and only they delete one with an `external_id`.',
      params: OrgParams,
      querystring: DeletionQuery,
      response: { 200: DeletedResponse, 204: NoContent },
    }),
    async ({ params: { org_id }, query, relation }, reply) => {
      const { name, externalId: external_id } = await organizations.get(org_id);
      // Otherwise a customer would begin again, with nothing used and nothing to pay.
      if (external_id !== null) requireMay(relation, 'organization.suspend');
      if (query.people !== 'delete') {
        reply.code(204);
        return organizations.delete(org_id);
      }
      requireMay(relation, 'users.change');
      const found = await allRows((page) => members.list(org_id, page, true));
      await organizations.delete(org_id);
      const people = [];
      // Somebody can have joined another organization meanwhile.
      for (const { userId: user_id, email } of found)
        if (await userChanges.deleteUnattached(user_id)) people.push({ user_id, email });
      return { org_id, name, external_id, people };
    },
  );
}

function customLimit(body: Pick<SetTierRequest, 'limit' | 'window'>): QuotaLimit | null {
  if (body.limit === undefined || body.limit === null) {
    if (body.window === undefined) return null;
    throw invalidField('window', 'window can only be used with limit');
  }
  return { amount: body.limit, window: body.window ?? 'month' };
}
