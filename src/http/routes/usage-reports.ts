import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dayOf } from '../../quota/window.ts';
import type { Services } from '../../services.ts';
import { exportUsage } from '../../usage/export.ts';
import { dayText, parsePeriod } from '../../usage/period.ts';
import { paceFrom, project } from '../../usage/projection.ts';
import { usageReport } from '../../usage/usage-report.ts';
import { keyShareView, projectionView, quotaView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { OrgParams } from '../schemas/common.ts';
import { ExportQuery, UsageExportResponse, UsageQuery, UsageReportResponse } from '../schemas/usage.ts';

const tags = ['Usage'];
const path = '/v1/organizations/:org_id/usage';

export function usageReportRoutes(app: App, { ledger, usage, recorder, keys, clock }: Services): void {
  const periodOf = (request: FastifyRequest) => {
    const { from, to } = request.query as UsageQuery;
    return parsePeriod(from, to, clock.now());
  };

  app.get(
    path,
    {
      config: { access: 'usage.read' },
      schema: {
        operationId: 'getUsageReport',
        summary: 'What an organization used, by time and by key',
        tags,
        params: OrgParams,
        querystring: UsageQuery,
        response: { 200: UsageReportResponse },
      },
    },
    async (request) => {
      const { org_id: orgId } = request.params;
      const { by: grain = 'day', key_id: keyId = null } = request.query;
      const period = periodOf(request);
      await recorder.flush();
      const nowMs = clock.now();
      const [standing, report, [pace], known] = await Promise.all([
        ledger.readStanding(orgId),
        usageReport(usage, { orgId, period, grain, keyId }),
        usage.paces([orgId], paceFrom(nowMs), dayOf(nowMs) + 1),
        keys.list(orgId),
      ]);
      const byId = new Map(known.map((key) => [key.keyId, key]));
      const projection = pace ? project(standing, pace, nowMs) : null;
      return {
        org_id: orgId,
        from: dayText(period.firstDay),
        to: dayText(period.endDay - 1),
        by: grain,
        quota: quotaView(standing),
        totals: report.totals,
        series: report.series.map(({ label, ...figures }) => ({ period: label, ...figures })),
        keys: report.byKey.map((share) => keyShareView(share, byId.get(share.keyId))),
        projection: projection && projectionView(projection, standing),
      };
    },
  );

  app.get(
    `${path}/export`,
    {
      config: { access: 'usage.read' },
      schema: {
        operationId: 'exportUsage',
        summary: 'Each key’s each day, as CSV or JSON',
        tags,
        params: OrgParams,
        querystring: ExportQuery,
        response: { 200: UsageExportResponse },
      },
    },
    async (request, reply) => {
      const { org_id: orgId } = request.params;
      const { format = 'csv', key_id: keyId = null } = request.query;
      const period = periodOf(request);
      await recorder.flush();
      const names = new Map((await keys.list(orgId)).map((key) => [key.keyId, key.name]));
      const file = `usage-${dayText(period.firstDay)}-${dayText(period.endDay - 1)}.${format}`;
      reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${file}"`);
      return (reply as FastifyReply).send(
        Readable.from(exportUsage(usage, { orgId, period, keyId, names }, format)),
      );
    },
  );
}
