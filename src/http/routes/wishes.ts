import { Type } from 'typebox';
import { newNotice } from '../../alerts/notice.ts';
import { Id, NoContent, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  AcceptAccessRequest,
  AccessListResponse,
  AccessSentResponse,
  accessRequestView,
  accessSentView,
  CreateAccessRequest,
  CreateUpgradeRequest,
  DecideUpgradeRequest,
  UpgradeListResponse,
  UpgradeResponse,
  upgradeView,
} from '../../api/wish.ts';
import { invalidRequest } from '../../errors.ts';
import { harmless } from '../../lib/harmless.ts';
import { requireMay } from '../../organizations/access.ts';
import { wishList } from '../../organizations/wishes.ts';
import type { Services } from '../../service/services.ts';
import { admitRequest, mayMailRequest, mayNotifyOfRequest } from '../../users/bounds.ts';
import { requestMail } from '../../users/mails.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { originOf } from '../origin.ts';
import { userOn } from '../plugins/identify.ts';

const upgradesPath = '/v1/organizations/:org_id/upgrade-requests';
const accessesPath = '/v1/organizations/:org_id/access-requests';
const UpgradeParams = Type.Object({ ...OrgParams.properties, upgrade_id: Id() });
const AccessParams = Type.Object({ ...OrgParams.properties, access_id: Id() });
const bounds =
  'Only a request for something new is mailed. The number of requests per person and day is limited. Above the limit, the status is 429, and `Retry-After` says when ' +
  'to try again.';

/** Registers the routes to ask for another tier or for access to an organization, and to decide that. */
export function wishRoutes(app: App, services: Services): void {
  const { wishes, users, attempts, config, mailer, log, stores, clock } = services;
  const store = stores.wishes;

  /**
   * Mails a request to the administrators and to an organization's owners, after the response: it must neither wait for
   * the mail server, nor show by its duration whether there is such an organization.
   */
  const mail = (orgId: string | null, asks: string, link: string, note?: string): void => {
    const warn = (reason: unknown) => log.warn({ err: reason }, 'a request could not be mailed');
    const send = async (to: string) => {
      if (await mayMailRequest(attempts, to)) await mailer?.send(requestMail(to, asks, link, note));
    };
    const sent = mailer && store.addresses(orgId).then((all) => all.map((to) => send(to).catch(warn)));
    sent?.catch(warn);
  };

  /** Sends a request to an organization's channels, after the response too. */
  const notify = (
    type: 'upgrade.requested' | 'access.requested',
    data: { org_id: string; id: string; message: string },
  ): void => {
    const send = async () => {
      if (!(await mayNotifyOfRequest(attempts, type, data.org_id))) return;
      await stores.deliveries.notifyAll(data.org_id, newNotice(type, data, clock.now()));
    };
    send().catch((reason: unknown) =>
      log.warn({ err: reason }, 'the notice of a request could not be queued'),
    );
  };

  app.get(
    upgradesPath,
    described('organization.read', 'listUpgradeRequests', 'List the upgrade requests of an organization', {
      querystring: PageQuery(wishList),
      params: OrgParams,
      response: { 200: UpgradeListResponse },
    }),
    async ({ params: { org_id: orgId }, query }) =>
      pageView(await store.upgrades(orgId, wishList.request(query, ['upgrades', orgId])), upgradeView),
  );

  app.post(
    upgradesPath,
    described('upgrades.request', 'createUpgradeRequest', 'Ask for another tier', {
      description:
        'The administrators decide the request, and get an email if the service can send mail. A person has one open request ' +
        `per organization: another one replaces it. ${bounds}`,
      params: OrgParams,
      body: CreateUpgradeRequest,
      response: { 201: UpgradeResponse, 429: ErrorBody },
    }),
    async (request) => {
      const { userId, name } = userOn(request);
      const { tier } = request.body;
      await admitRequest(attempts, userId);
      const made = await wishes.askForTier(request.params.org_id, userId, tier);
      if (!made.isNew) return upgradeView(made);
      const asks = `${harmless(name)} asks for the tier ${tier} for ${harmless(made.organization)}`;
      mail(null, asks, originOf(request, config.publicUrl));
      notify('upgrade.requested', { org_id: made.orgId, id: made.upgradeId, message: `${asks}.` });
      return upgradeView(made);
    },
  );

  app.post(
    `${upgradesPath}/:upgrade_id/decide`,
    described('organization.set-tier', 'decideUpgradeRequest', 'Approve or decline an upgrade request', {
      description: 'Approving sets the tier, as `PUT /v1/organizations/{org_id}/tier` does.',
      params: UpgradeParams,
      body: DecideUpgradeRequest,
      response: { 200: UpgradeResponse },
    }),
    async ({ params: { org_id: orgId, upgrade_id: upgradeId }, body }) =>
      upgradeView(await wishes.decide(orgId, upgradeId, body.approve)),
  );

  app.delete(
    `${upgradesPath}/:upgrade_id`,
    described('upgrades.request', 'withdrawUpgradeRequest', 'Withdraw your own open upgrade request', {
      params: UpgradeParams,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { org_id: orgId, upgrade_id: upgradeId } = request.params;
      await wishes.withdrawUpgrade(orgId, upgradeId, userOn(request).userId);
    },
  );

  app.get(
    '/v1/access-requests',
    described('user', 'listAccessRequests', 'List your own access request or, for administrators, all', {
      querystring: PageQuery(wishList),
      response: { 200: AccessListResponse },
    }),
    async (request) => {
      const { isAdmin, userId } = userOn(request);
      const asked = wishList.request(request.query, ['accesses', isAdmin ? null : userId]);
      const page = await store.accesses(isAdmin ? {} : { userId }, asked);
      // The person who asks must not learn which organizations exist.
      return pageView(page, (one) => accessRequestView(isAdmin ? one : { ...one, orgId: null }));
    },
  );

  app.post(
    '/v1/access-requests',
    described('user', 'createAccessRequest', 'Ask to join an organization', {
      description:
        'For people who are in no organization. The administrators and the organization’s owners see the request, and get an ' +
        'email if the service can send mail. The response is the same whether or not there is such an organization. A person ' +
        `has one request: another one replaces it. ${bounds}`,
      body: CreateAccessRequest,
      response: { 202: AccessSentResponse, 429: ErrorBody },
    }),
    async (request) => {
      const { userId, name, email } = userOn(request);
      await admitRequest(attempts, userId);
      const refusal = 'You are a member of an organization. Ask to be invited to others.';
      if ((await users.get(userId)).organizationCount > 0) throw invalidRequest(refusal);
      const made = await wishes.askForAccess(userId, request.body.organization);
      if (!made.isNew) return accessSentView(made);
      const note = 'Anyone can type the name of an organization. Accept only people you know.';
      const wanted = `asks to join ${harmless(made.organization)}`;
      const asks = `${harmless(name)} (${email}) ${wanted}`;
      mail(made.orgId, asks, originOf(request, config.publicUrl), note);
      // Members see the messages to channels, but not the addresses of those who ask.
      const message = `${harmless(name)} ${wanted}. ${note}`;
      if (made.orgId) notify('access.requested', { org_id: made.orgId, id: made.accessId, message });
      return accessSentView(made);
    },
  );

  app.get(
    accessesPath,
    described(
      'members.change',
      'listOwnAccessRequests',
      'List the access requests that name an organization',
      {
        description: 'If several organizations have the same name, only administrators see the request.',
        querystring: PageQuery(wishList),
        params: OrgParams,
        response: { 200: AccessListResponse },
      },
    ),
    async ({ params: { org_id: orgId }, query }) =>
      pageView(
        await store.accesses({ orgId }, wishList.request(query, ['accesses of', orgId])),
        accessRequestView,
      ),
  );

  app.post(
    `${accessesPath}/:access_id/accept`,
    described('members.change', 'acceptAccessRequest', 'Make the person who asks a member', {
      description:
        'Only owners can make owners. Administrators can accept any request into any organization.',
      params: AccessParams,
      body: AcceptAccessRequest,
      response: { 204: NoContent },
    }),
    async ({ params: { org_id: orgId, access_id: accessId }, body: { role }, relation }) => {
      if (role === 'owner') requireMay(relation, 'owners.change');
      await wishes.accept(accessId, relation === 'administrator' ? {} : { orgId }, { orgId, role });
    },
  );

  app.delete(
    `${accessesPath}/:access_id`,
    described('members.change', 'declineAccessRequest', 'Decline an access request', {
      params: AccessParams,
      response: { 204: NoContent },
    }),
    async ({ params }) => wishes.declineAccess(params.access_id, params.org_id),
  );
}
