import { allRows } from '../../src/lib/page.ts';
import type { ListeningApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';

const pauseMs = 50;

/**
 * Raises the alerts of an organization that has reached a threshold.
 */
export async function raiseAlerts({ services }: ListeningApp, orgId: string): Promise<void> {
  const { watch, alerts } = services.alerting;
  const isRaised = async (): Promise<boolean> => {
    await watch.sweep(Date.now());
    return (await allRows((page) => alerts.list(orgId, page))).length > 0;
  };
  await eventually(isRaised, { everyMs: pauseMs });
}
