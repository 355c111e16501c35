import type { Services } from '../../services.ts';
import { monthReport, noUsage } from '../../usage/reports.ts';
import { isoTime, quotaView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { commonErrors } from '../schemas/common.ts';
import { UsageResponse } from '../schemas/organizations.ts';

export function usageRoute(app: App, { ledger, usage, recorder, clock }: Services): void {
  app.get(
    '/v1/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'The organization’s quota, and this month’s usage',
        description: '`totals` are of all the organization’s keys, `key` is the share of the key that asks.',
        tags: ['Usage'],
        security: [{ apiKey: [] }],
        response: { 200: UsageResponse, ...commonErrors },
      },
    },
    async (request) => {
      const { orgId, keyId } = callerOf(request);
      await recorder.flush();
      const nowMs = clock.now();
      const [standing, report] = await Promise.all([
        ledger.readStanding(orgId),
        monthReport(usage, orgId, nowMs),
      ]);
      const { keyId: _, ...own } = report.byKey.find((key) => key.keyId === keyId) ?? { keyId, ...noUsage };
      return {
        org_id: orgId,
        ...quotaView(standing),
        month: isoTime(nowMs).slice(0, 7),
        totals: report.totals,
        key: { key_id: keyId, ...own },
      };
    },
  );
}
