import { UsageResponse, usageView } from '../../api/usage.ts';
import { invalidApiKey } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import { readSnapshot, standingIn } from '../../usage/reports.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { callerOf } from '../plugins/authenticate.ts';

export function usageRoute(app: App, { usage, recorder, config }: Services): void {
  app.get(
    '/v1/usage',
    described('key', 'getUsage', 'Get the organization’s quota and this month’s usage', {
      description:
        '`totals` is the usage of all keys of the organization; `key` is the usage of the calling key.',
      response: { 200: UsageResponse },
    }),
    async (request) => {
      const caller = callerOf(request);
      await recorder.flush();
      const snapshot = await readSnapshot(usage, caller.orgId, { byKey: ['month'], byDay: [], pace: false });
      if (!snapshot) throw invalidApiKey();
      return usageView(caller, snapshot, standingIn(snapshot, config.tiers));
    },
  );
}
