import { setTimeout } from 'node:timers/promises';
import { allRows } from '../../src/lib/page.ts';
import type { ListeningApp } from '../helpers/app.ts';

const maxAttempts = 100;
const pauseMs = 50;

/**
 * Raises the alerts of an organization that has reached a threshold. One sweep may not be enough: it returns
 * at once while another one runs, which the service begins by itself some seconds after its start.
 */
export async function raiseAlerts({ services }: ListeningApp, orgId: string): Promise<void> {
  const { watch, alerts } = services.alerting;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await watch.sweep();
    if ((await allRows((page) => alerts.list(orgId, page))).length > 0) return;
    await setTimeout(pauseMs);
  }
  throw new Error(`no alert of ${orgId} was raised`);
}
