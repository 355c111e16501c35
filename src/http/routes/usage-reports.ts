import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { listView, OrgParams, pageView } from '../../api/common.ts';
import { limitView } from '../../api/limit.ts';
import { quotaView } from '../../api/quota.ts';
import {
  figuresView,
  OrganizationUsageQuery,
  OrganizationUsageResponse,
  organizationUsageView,
  UsageExportResponse,
  UsageResponse,
  usageView,
} from '../../api/usage.ts';
import {
  callerView,
  DeprecatedUsageResponse,
  groupView,
  keyShareView,
  latencyView,
  modelUsageView,
  periodView,
  projectionView,
  UsageExportQuery,
  UsageReportQuery,
  UsageReportResponse,
} from '../../api/usage-report.ts';
import { callerDays, maxCallers, plansOf } from '../../embeddings/lifecycle.ts';
import { invalidApiKey, invalidField, notFound } from '../../errors.ts';
import { nilId } from '../../lib/ids.ts';
import { organizationList } from '../../organizations/organization.ts';
import { dayOf } from '../../quota/window.ts';
import type { Services } from '../../service/services.ts';
import { exportUsage } from '../../usage/export.ts';
import { groupUsage, recentUsage, refuseForgotten } from '../../usage/hourly-report.ts';
import { before, parsePeriod, periodTexts } from '../../usage/period.ts';
import { project } from '../../usage/projection.ts';
import { readSnapshot, type Senders, standingIn } from '../../usage/reports.ts';
import { snapshotQuestion, usageReportOf } from '../../usage/usage-report.ts';
import type { App } from '../app-types.ts';
import { senderOf } from '../audience.ts';
import { described } from '../described.ts';
import { organizationOn } from '../plugins/access.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { principalOn } from '../plugins/identify.ts';
import { SharedReports } from '../shared-reports.ts';

const path = '/v1/organizations/:org_id/usage';
type Filter = Pick<Static<typeof UsageReportQuery>, 'key_id' | 'user_id'>;

export function usageReportRoutes(
  app: App,
  { ledger, pacer, limits, usage, recorder, keys, clock, config, stores: { requestLog } }: Services,
): void {
  const reports = new SharedReports();
  const periodOf = async (orgId: string, { from, to }: { from?: string; to?: string }) => {
    if (to !== undefined) return parsePeriod(from, to, clock.now());
    // The ledger's day is later than its clock's if that was set back.
    const { startMs } = await ledger.readStanding(orgId);
    return parsePeriod(from, to, Math.max(ledger.nowMs, startMs));
  };
  /** Returns the senders that a query names. A key and a user: the key, if it is theirs. */
  const sendersOf = async (orgId: string, { key_id: keyId, user_id: userId }: Filter): Promise<Senders> => {
    if (userId === undefined) return keyId === undefined ? null : [keyId];
    const own = await usage.sendersOf(orgId, userId);
    return keyId === undefined ? own : own.includes(keyId) ? [keyId] : [nilId];
  };

  app.get(
    path,
    described('usage.read', 'getUsageReport', 'Get an organization’s usage by time, key and model', {
      params: OrgParams,
      querystring: UsageReportQuery,
      response: { 200: UsageReportResponse },
    }),
    (request) => {
      const { org_id: orgId } = request.params;
      const { query } = request;
      const { inTurn } = request.hold;
      const report = async () => {
        const { key_id: keyId = null, group, compare, max_keys: maxKeys } = query;
        const keyIds = await sendersOf(orgId, query);
        const period = await periodOf(orgId, query);
        const { by = period.hours ? 'hour' : 'day' } = query;
        if (period.hours && by !== 'hour')
          throw invalidField('by', 'by must be hour if from or to is an hour');
        const nowMs = clock.now();
        refuseForgotten(period, by, nowMs);
        const withPrevious = compare === 'previous';
        const question = { period, grain: by === 'hour' ? 'day' : by, keyIds, withPrevious } as const;
        const recently = { orgId, period, grain: by, keyIds, nowMs, inTurn };
        await recorder.flush();
        const snapshot = await readSnapshot(usage, orgId, snapshotQuestion(question));
        if (!snapshot) throw notFound('No such organization');
        const standing = standingIn(snapshot, config.tiers);
        const report = usageReportOf(snapshot, question);
        const recent = await recentUsage(requestLog, recently);
        const groups = group && (await groupUsage(requestLog, recently, group));
        const earlier =
          by === 'hour' && withPrevious
            ? (await recentUsage(requestLog, { ...recently, period: before(period) })).series
            : report.previous;
        const listed = report.byKey.slice(0, maxKeys);
        const named = [
          ...listed,
          ...(keyId === null ? [] : [{ keyId }]),
          ...(group === 'key' ? (groups ?? []) : []).flatMap(({ name }) =>
            name === null ? [] : [{ keyId: name }],
          ),
        ];
        const byId = await keys.byId(orgId, named);
        const projection = snapshot.pace && project(standing, snapshot.pace, snapshot.nowMs);
        const applying = await limits.applying(orgId, byId.get(keyId ?? '') ?? null);
        return inTurn(() => ({
          org_id: orgId,
          ...periodTexts(period),
          by,
          quota: quotaView(standing),
          currency: config.prices.currency,
          totals: figuresView(report.totals),
          series: (recent.series ?? report.series).map((part) => ({
            ...periodView(part),
            latency: latencyView(recent.latencyOf(part.label)),
          })),
          ...(withPrevious && { previous: (earlier ?? []).map(periodView) }),
          ...(groups && { groups: groups.map((one) => groupView(one, group!, byId)) }),
          latency: latencyView(recent.latency),
          errors: [...recent.errors],
          keys: listed.map((share) => keyShareView(share, byId.get(share.keyId))),
          key_count: report.byKey.length,
          models: report.byModel.map(modelUsageView),
          limits: applying.map((limit) => limitView(limit, pacer.inProgress)),
          projection: projection && projectionView(projection, standing),
        }));
      };
      const principal = principalOn(request);
      // Programs count on reading what they have just sent.
      if (principal.kind === 'key') return report();
      return reports.get(JSON.stringify([orgId, query]), senderOf(request).senderId, report);
    },
  );

  const deprecated = async (request: FastifyRequest) => {
    await recorder.flush();
    const plans = plansOf(config.models);
    const firstDay = dayOf(clock.now()) - callerDays + 1;
    const of = { orgId: organizationOn(request), firstDay, limit: maxCallers };
    const callers = await usage.callersOf([...plans.keys()], of);
    return listView(callers.map((caller) => callerView(caller, plans.get(caller.model)!)));
  };

  app.get(
    `${path}/deprecated`,
    described('usage.read', 'listDeprecatedUsage', 'List the keys that call deprecated models', {
      description:
        `The usage of models with a day of deprecation or a sunset, by key, in the last ${callerDays} days. The ` +
        'keys with the most requests come first.',
      params: OrgParams,
      response: { 200: DeprecatedUsageResponse },
    }),
    deprecated,
  );

  app.get(
    '/v1/usage/deprecated',
    described('usage.read', 'listAllDeprecatedUsage', 'List all keys that call deprecated models', {
      description: 'Those of all organizations, for administrators. A key gets those of its organization.',
      response: { 200: DeprecatedUsageResponse },
    }),
    deprecated,
  );

  app.get(
    '/v1/usage/organizations',
    described('installation.read', 'listOrganizationUsage', 'List the usage of all organizations', {
      description:
        'What each organization has used in a period, also if it is nothing: an invoice is a row, and a page has up ' +
        'to 1,000. What was counted is exact: see [the ledger](ledger.md#decisions).',
      querystring: OrganizationUsageQuery,
      response: { 200: OrganizationUsageResponse },
    }),
    async ({ query }) => {
      const period = parsePeriod(query.from, query.to, clock.now());
      const { from, to } = periodTexts(period);
      const asked = organizationList.request(query, [from, to]);
      await recorder.flush();
      const { currency } = config.prices;
      return {
        ...pageView(await usage.organizations(asked, period), organizationUsageView),
        from,
        to,
        currency,
      };
    },
  );

  app.get(
    `${path}/export`,
    described('usage.read', 'exportUsage', 'Export the usage per day, key and model as CSV or JSON', {
      params: OrgParams,
      querystring: UsageExportQuery,
      response: { 200: UsageExportResponse },
    }),
    async (request, reply) => {
      const { org_id: orgId } = request.params;
      const { format = 'csv' } = request.query;
      const period = await periodOf(orgId, request.query);
      refuseForgotten(period, 'day', clock.now());
      const keyIds = await sendersOf(orgId, request.query);
      await recorder.flush();
      const [ending, type] = format === 'json' ? ['json', 'application/json'] : ['csv', 'text/csv'];
      const { from, to } = periodTexts(period);
      // A name of a file has no colons.
      const file = `usage-${from.slice(0, 13)}-${to.slice(0, 13)}.${ending}`;
      reply.type(`${type}; charset=utf-8`).header('content-disposition', `attachment; filename="${file}"`);
      return (reply as FastifyReply).send(
        Readable.from(exportUsage({ usage, keys }, { orgId, period, keyIds }, format)),
      );
    },
  );
}

export function usageRoute(app: App, { usage, recorder, config }: Services): void {
  app.get(
    '/v1/usage',
    described('usage.read', 'getUsage', 'Get the organization’s quota and this month’s usage', {
      description:
        '`totals` is the usage of all keys of the organization; `key` is the usage of the calling key.',
      response: { 200: UsageResponse },
    }),
    async (request) => {
      const caller = callerOf(request);
      await recorder.flush();
      const snapshot = await readSnapshot(usage, caller.orgId, { byKey: ['month'], byDay: [], pace: false });
      if (!snapshot) throw invalidApiKey();
      return usageView(caller, snapshot, standingIn(snapshot, config.tiers), config.prices.currency);
    },
  );
}
