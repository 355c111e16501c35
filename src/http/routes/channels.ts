import { Type } from 'typebox';
import { channelList } from '../../alerts/channel.ts';
import {
  ChannelListResponse,
  ConfirmAddressRequest,
  CreateChannelRequest,
  CreatedChannelResponse,
  channelView,
} from '../../api/channel.ts';
import { Id, NoContent, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import { DeliveryListResponse, DeliveryQuery, DeliveryResponse, deliveryView } from '../../api/delivery.ts';
import { ErrorBody } from '../../api/error.ts';
import { may } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { senderOf } from '../audience.ts';
import { described } from '../described.ts';
import { routesOf } from '../owner.ts';
import { organizationOn } from '../plugins/access.ts';

const path = '/v1/organizations/:org_id/alerts';
const ChannelParams = Type.Object({ ...OrgParams.properties, target_id: Id() });
const DeliveryParams = Type.Object({ ...OrgParams.properties, delivery_id: Id() });

/**
 * Registers the public route behind the link that confirms an address. Only a click posts: mail scanners open links.
 */
export function confirmAddressRoute(app: App, { alerting: { channelSetup }, attempts }: Services): void {
  app.post(
    '/v1/alert-targets/confirm',
    described('public', 'confirmAlertTarget', 'Confirm the email address of a notification channel', {
      body: ConfirmAddressRequest,
      response: { 204: NoContent, 404: ErrorBody, 429: ErrorBody },
    }),
    async (request) => {
      await attempts.admit(request.ip);
      await channelSetup.confirm(request.body.token);
    },
  );
}

/** Registers the routes of the channels of organizations, or of those of the installation. */
function ownedChannelRoutes(
  app: App,
  { alerting: { channels, channelSetup } }: Services,
  whose: 'organization' | 'installation',
): void {
  const { base, OwnerParams, id, summary } = routesOf(whose);
  const targets = `${base}/alerts/targets`;
  app.get(
    targets,
    described('targets.read', id('listAlertTargets'), summary('List the notification channels'), {
      querystring: PageQuery(channelList),
      params: OwnerParams,
      response: { 200: ChannelListResponse },
    }),
    async (request) =>
      pageView(
        await channels.list(organizationOn(request), request.query),
        channelView(may(request.relation, 'targets.change')),
      ),
  );

  app.post(
    targets,
    described('targets.change', id('createAlertTarget'), summary('Create a notification channel'), {
      description:
        'Sends alerts to an email address or a webhook. An address that is not the verified one of a member ' +
        'gets a link to confirm it, and no alerts before that. Webhooks are signed according to [Standard ' +
        'Webhooks](https://www.standardwebhooks.com). The service follows no redirects, and sends no requests ' +
        'to private addresses unless its operator allows them.\n\n' +
        'A channel of the installation has a URL, and gets the notices of all organizations. Making a channel that is ' +
        'there only changes its name, and its secret if the request has one.',
      params: OwnerParams,
      body: CreateChannelRequest,
      response: { 201: CreatedChannelResponse, 429: ErrorBody, 503: ErrorBody },
    }),
    async (request) => {
      const { channel, secret } = await channelSetup.create({
        orgId: organizationOn(request),
        ...request.body,
        createdBy: senderOf(request).senderId,
      });
      return { ...channelView(true)(channel), secret };
    },
  );

  app.delete(
    `${targets}/:target_id`,
    described('targets.change', id('deleteAlertTarget'), summary('Delete a notification channel'), {
      description: 'Pending messages to the channel are not sent, and its deliveries are deleted.',
      params: Type.Object({ ...OwnerParams.properties, target_id: Id() }),
      response: { 204: NoContent },
    }),
    async (request) => channels.delete(organizationOn(request), request.params.target_id),
  );
}

export function channelRoutes(app: App, services: Services): void {
  ownedChannelRoutes(app, services, 'organization');
  ownedChannelRoutes(app, services, 'installation');
  const { deliveries, channelSetup } = services.alerting;
  app.post(
    `${path}/targets/:target_id/confirmation`,
    described(
      'targets.change',
      'mailAlertTargetConfirmation',
      'Mail the link that confirms a channel’s address again',
      {
        params: ChannelParams,
        response: { 204: NoContent, 429: ErrorBody, 503: ErrorBody },
      },
    ),
    async (request) => channelSetup.askAgain(request.params.org_id, request.params.target_id),
  );

  app.post(
    `${path}/targets/:target_id/test`,
    described('targets.change', 'testAlertTarget', 'Send a test message to a notification channel', {
      params: ChannelParams,
      response: { 202: DeliveryResponse, 429: ErrorBody },
    }),
    async (request) => {
      const delivery = await channelSetup.test(request.params.org_id, request.params.target_id);
      return deliveryView(delivery);
    },
  );

  app.get(
    `${path}/deliveries`,
    described('targets.read', 'listAlertDeliveries', 'List the deliveries and their results', {
      params: OrgParams,
      querystring: DeliveryQuery,
      response: { 200: DeliveryListResponse },
    }),
    async ({ params, query: { delivery_id: deliveryId, target_id: targetId, ...page } }) =>
      pageView(await deliveries.list(params.org_id, { ...page, deliveryId, targetId }), deliveryView),
  );

  app.post(
    `${path}/deliveries/:delivery_id/resend`,
    described('targets.change', 'resendAlertDelivery', 'Send a message to its channel again', {
      description:
        'Creates a new delivery with the same message id, so that receivers can recognize the duplicate.',
      params: DeliveryParams,
      response: { 202: DeliveryResponse, 429: ErrorBody },
    }),
    async (request) => {
      const delivery = await channelSetup.resend(request.params.org_id, request.params.delivery_id);
      return deliveryView(delivery);
    },
  );
}
