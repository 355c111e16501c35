import { Type } from 'typebox';
import { Id, NoContent, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  CreateUpgradeRequest,
  DecideUpgradeRequest,
  UpgradeListResponse,
  UpgradeResponse,
  upgradeView,
} from '../../api/wish.ts';
import { upgradeList } from '../../organizations/wishes.ts';
import type { Services } from '../../service/services.ts';
import { admitRequest } from '../../users/mail-bounds.ts';
import { upgradeMail } from '../../users/mails.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { mailRequest } from '../mail-request.ts';
import { originOf } from '../origin.ts';
import { userOn } from '../plugins/identify.ts';

const path = '/v1/organizations/:org_id/upgrade-requests';
const UpgradeParams = Type.Object({ ...OrgParams.properties, upgrade_id: Id() });

export function upgradeRequestRoutes(app: App, services: Services): void {
  const { wishes, attempts, config } = services;

  app.get(
    '/v1/upgrade-requests',
    described(
      'administrator',
      'listOpenUpgradeRequests',
      'List the open upgrade requests of all organizations',
      {
        querystring: PageQuery(upgradeList),
        response: { 200: UpgradeListResponse },
      },
    ),
    async (request) => pageView(await wishes.upgrades(null, request.query), upgradeView),
  );

  app.get(
    path,
    described('organization.read', 'listUpgradeRequests', 'List the upgrade requests of an organization', {
      querystring: PageQuery(upgradeList),
      params: OrgParams,
      response: { 200: UpgradeListResponse },
    }),
    async (request) => pageView(await wishes.upgrades(request.params.org_id, request.query), upgradeView),
  );

  app.post(
    path,
    described('upgrades.request', 'createUpgradeRequest', 'Ask for another tier', {
      description:
        'The administrators decide the request, and get an email if the service can send mail. A person has one open request ' +
        'per organization: another one replaces it. The number of requests per person and day is limited. Above the limit, the ' +
        'status is 429, and `Retry-After` says when to try again.',
      params: OrgParams,
      body: CreateUpgradeRequest,
      response: { 201: UpgradeResponse, 429: ErrorBody },
    }),
    async (request) => {
      const { userId } = userOn(request);
      await admitRequest(attempts, userId);
      const made = await wishes.askForTier(request.params.org_id, userId, request.body.tier);
      const { organizationName: organization, userName: name, tier } = made;
      const origin = originOf(request, config.publicUrl);
      mailRequest(services, null, (to) => upgradeMail(to, origin, { organization, name, tier }));
      return upgradeView(made);
    },
  );

  app.post(
    `${path}/:upgrade_id/decide`,
    described('organization.set-tier', 'decideUpgradeRequest', 'Approve or decline an upgrade request', {
      description: 'Approving sets the tier, as `PUT /v1/organizations/{org_id}/tier` does.',
      params: UpgradeParams,
      body: DecideUpgradeRequest,
      response: { 200: UpgradeResponse },
    }),
    async (request) => {
      const { org_id: orgId, upgrade_id: upgradeId } = request.params;
      return upgradeView(await wishes.decide(orgId, upgradeId, request.body.approve));
    },
  );

  app.delete(
    `${path}/:upgrade_id`,
    described('upgrades.request', 'withdrawUpgradeRequest', 'Withdraw your own open upgrade request', {
      params: UpgradeParams,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { org_id: orgId, upgrade_id: upgradeId } = request.params;
      await wishes.withdrawUpgrade(orgId, upgradeId, userOn(request).userId);
    },
  );
}
