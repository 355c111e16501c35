import { fieldsOf, type JsonObject } from '../../../packages/small/src/json.ts';
import type { State } from '../../api/state.ts';
import { allRows } from '../../lib/page.ts';
import { forEach, type Send } from './client.ts';
import { limitBeyondTier } from './item.ts';

/** Returns all rows of a list. */
const rowsOf = (send: Send, path: string, query = {}): Promise<JsonObject[]> =>
  allRows(async ({ after }) => {
    const shown = new URLSearchParams({ ...query, ...(after && { after }) });
    const page = await send({ path: `${path}?${shown}` });
    const data = Array.isArray(page.data) ? page.data.map(fieldsOf) : [];
    return { data, next: typeof page.next === 'string' ? page.next : null, total: null };
  });

/** The fields of an organization that a file or a request needs. */
const fields = 'org_id,external_id,name,tier,quota,suspended';

const compare = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1);

/**
 * Returns what the service has, in the fields of the API: the channels of the installation, and the organizations with
 * an external id, with the parts of those that are wanted. `unnamed` are the organizations without one.
 */
export async function currentState(send: Send, isWanted: (externalId: string) => boolean) {
  const tiers = await rowsOf(send, '/tiers');
  const rows = await rowsOf(send, '/organizations', { limit: 100, fields });
  const organizations: JsonObject[] = [];
  await forEach(rows, async ({ external_id, ...row }) => {
    if (typeof external_id !== 'string') return;
    const custom = limitBeyondTier(tiers, { tier: row.tier, ...fieldsOf(row.quota) });
    const parts = isWanted(external_id) && (await partsOf(send, `/organizations/${row.org_id}`));
    organizations.push({ external_id, ...row, ...custom, ...parts });
  });
  organizations.sort((a, b) => compare(a.external_id, b.external_id));
  const state = { channels: await rowsOf(send, '/alerts/targets'), organizations } as unknown as State;
  const unnamed = rows.filter(({ external_id }) => external_id === null);
  return { state, unnamed, tiers };
}

async function partsOf(send: Send, base: string) {
  const members = await rowsOf(send, `${base}/members`);
  const invited = (await rowsOf(send, `${base}/invitations`)).filter(
    ({ email, expires_at }) =>
      Date.parse(String(expires_at)) > Date.now() && !members.some((member) => member.email === email),
  );
  const own = (await rowsOf(send, `${base}/limits`)).map(({ applies_to: _, ...limit }) => limit);
  const ofNewKeys = await rowsOf(send, `${base}/limits`, { applies_to: 'new_keys' });
  return {
    alerts: await send({ path: `${base}/alerts/settings` }),
    // The settings file has the limits of the tier, and organizations change their own limits and channels.
    limits: [...own, ...ofNewKeys].filter(({ set_by }) => set_by === 'operator'),
    channels: (await rowsOf(send, `${base}/alerts/targets`)).filter(
      ({ created_by }) => !members.some(({ user_id }) => user_id === created_by),
    ),
    members: [...members, ...invited].sort((a, b) => compare(a.email, b.email)),
  };
}
