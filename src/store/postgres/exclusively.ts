import { busyElsewhere } from '../busy-elsewhere.ts';
import { withSession } from './session.ts';

/** Names our lock among all advisory locks of the database: the bytes of "embedgax". */
const exclusiveLock = '7308605957907898744';

/**
 * Runs `body` while no other process on the database runs one. Throws `unavailable` at once when another does. A
 * transaction holds the lock, since a session behind a pooler is nobody's for longer than that; the server lets it go when
 * the process ends, however that ends.
 */
export function exclusively<R>(url: string, body: () => Promise<R>): Promise<R> {
  return withSession(url, async (client) => {
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${exclusiveLock}) AS is_ours`);
    if (!rows[0]?.is_ours) throw busyElsewhere();
    return body();
  });
}
