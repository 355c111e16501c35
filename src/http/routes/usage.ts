import { invalidApiKey } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import { monthReportOf, noUsage, readSnapshot, standingIn } from '../../usage/reports.ts';
import { isoTime, quotaView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { commonErrors } from '../schemas/common.ts';
import { UsageResponse } from '../schemas/organizations.ts';

export function usageRoute(app: App, { usage, recorder, config }: Services): void {
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
      const snapshot = await readSnapshot(usage, orgId, { byKey: ['month'], byDay: [], pace: false });
      if (!snapshot) throw invalidApiKey();
      const standing = standingIn(snapshot, config.tiers);
      const report = monthReportOf(snapshot.byKey[0] ?? []);
      const { keyId: _, ...own } = report.byKey.find((key) => key.keyId === keyId) ?? { keyId, ...noUsage };
      return {
        org_id: orgId,
        ...quotaView(standing),
        month: isoTime(snapshot.monthStartMs).slice(0, 7),
        totals: report.totals,
        key: { key_id: keyId, ...own },
      };
    },
  );
}
