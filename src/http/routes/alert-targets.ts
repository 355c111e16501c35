import { Type } from 'typebox';
import type { Services } from '../../service/services.ts';
import type { NewTarget } from '../../usage/notifiers/target.ts';
import { deliveryView, targetView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { userOn } from '../plugins/identify.ts';
import {
  AlertDeliveryListResponse,
  AlertDeliveryResponse,
  AlertTargetListResponse,
  CreateAlertTargetRequest,
  CreatedAlertTargetResponse,
  DeliveryQuery,
} from '../schemas/alert-targets.ts';
import { ErrorBody, Id, NoContent, OrgParams } from '../schemas/common.ts';

const tags = ['Alerts'];
const path = '/v1/organizations/:org_id/alerts';
const TargetParams = Type.Object({ ...OrgParams.properties, target_id: Id() });
const DeliveryParams = Type.Object({ ...OrgParams.properties, delivery_id: Id() });

export function alertTargetRoutes(app: App, { alerting: { targets } }: Services): void {
  app.get(
    `${path}/targets`,
    {
      config: { access: 'targets.read' },
      schema: {
        operationId: 'listAlertTargets',
        summary: 'Where alerts are sent',
        tags,
        params: OrgParams,
        response: { 200: AlertTargetListResponse },
      },
    },
    async (request) => {
      const found = await targets.list(request.params.org_id);
      return { object: 'list' as const, data: found.map(targetView) };
    },
  );

  app.post(
    `${path}/targets`,
    {
      config: { access: 'targets.change' },
      schema: {
        operationId: 'createAlertTarget',
        summary: 'Have alerts sent to an e-mail address or a webhook',
        description:
          'Webhooks are signed as [Standard Webhooks](https://www.standardwebhooks.com) has it. No redirect is followed, and no request goes to a private address unless the service’s operator allows it.',
        tags,
        params: OrgParams,
        body: CreateAlertTargetRequest,
        response: { 201: CreatedAlertTargetResponse },
      },
    },
    async (request, reply) => {
      const { kind, address } = request.body as Pick<NewTarget, 'kind' | 'address'>;
      const { target, secret } = await targets.create({
        ...{ orgId: request.params.org_id, kind, address },
        createdBy: userOn(request).userId,
      });
      reply.code(201);
      return { ...targetView(target), secret };
    },
  );

  app.delete(
    `${path}/targets/:target_id`,
    {
      config: { access: 'targets.change' },
      schema: {
        operationId: 'deleteAlertTarget',
        summary: 'Send no more alerts there',
        description: 'What waits to be sent there is dropped, and its deliveries are forgotten.',
        tags,
        params: TargetParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await targets.delete(request.params.org_id, request.params.target_id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/targets/:target_id/test`,
    {
      config: { access: 'targets.change' },
      schema: {
        operationId: 'testAlertTarget',
        summary: 'Send a message that says that it is a test',
        tags,
        params: TargetParams,
        response: { 202: AlertDeliveryResponse, 429: ErrorBody },
      },
    },
    async (request, reply) => {
      const delivery = await targets.test(request.params.org_id, request.params.target_id);
      reply.code(202);
      return deliveryView(delivery);
    },
  );

  app.get(
    `${path}/deliveries`,
    {
      config: { access: 'targets.read' },
      schema: {
        operationId: 'listAlertDeliveries',
        summary: 'What was sent, and how that went',
        tags,
        params: OrgParams,
        querystring: DeliveryQuery,
        response: { 200: AlertDeliveryListResponse },
      },
    },
    async (request) => {
      const found = await targets.deliveries(request.params.org_id, request.query.target_id ?? null);
      return { object: 'list' as const, data: found.map(deliveryView) };
    },
  );

  app.post(
    `${path}/deliveries/:delivery_id/resend`,
    {
      config: { access: 'targets.change' },
      schema: {
        operationId: 'resendAlertDelivery',
        summary: 'Send the same message to the same target once more',
        description: 'A delivery of its own, with the message’s own id: a receiver can know it again.',
        tags,
        params: DeliveryParams,
        response: { 202: AlertDeliveryResponse, 429: ErrorBody },
      },
    },
    async (request, reply) => {
      const delivery = await targets.resend(request.params.org_id, request.params.delivery_id);
      reply.code(202);
      return deliveryView(delivery);
    },
  );
}
