import pg from 'pg';
import { retry } from '../../../packages/small/src/retry.ts';
import { messageOf } from '../../errors.ts';
import { busyElsewhere } from '../transactions.ts';
import { connectionConfig, deadlinesMs } from './connection.ts';
import { loggableFault } from './faults.ts';

/** A start can keep the process too busy to notice in time that a connection is there. */
const connectAttempts = 3;

/** The message of pg's error when connecting takes too long. */
const tooSlow = 'timeout expired';
const tooSlowMessage =
  `no connection within ${deadlinesMs.connect / 1_000} second, ${connectAttempts} times. ` +
  'The server does not respond, or a round trip to it takes 150 milliseconds or more';

/** The longest time that Postgres can wait, 24 days. pg sends no zero. */
const longestMs = 2_147_483_647;

class TooSlow extends Error {}

const isTooSlow = (reason: unknown): boolean => reason instanceof TooSlow;
const connecting = { isPassing: isTooSlow, maxAttempts: connectAttempts, pauseMs: 100 };

/** The key of the advisory lock of `exclusively`: the bytes of "embedgax". */
const exclusiveLock = '7308605957907898744';

/** Runs `body` on a connection of its own, whose statements have no deadline. */
export async function withSession<R>(url: string, body: (client: pg.Client) => Promise<R>): Promise<R> {
  try {
    const client = await retry(() => connect(url), connecting);
    try {
      return await body(client);
    } finally {
      await client.end();
    }
  } catch (reason) {
    throw loggableFault(reason);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionConfig(url, new Set()),
    query_timeout: 0,
    // The startup parameters of the pool, so that a pooler that refuses them is found before anything is created.
    statement_timeout: longestMs,
    idle_in_transaction_session_timeout: longestMs,
  });
  // If the connection is lost while it is idle, the next statement fails.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (reason) {
    await client.end();
    throw messageOf(reason) === tooSlow ? new TooSlow(tooSlowMessage, { cause: reason }) : reason;
  }
}

/**
 * Runs `body` unless another process is doing so on the database; throws `unavailable` immediately then. A transaction
 * holds the lock, because a pooler assigns sessions to clients for one transaction only. The server releases the lock
 * when the process ends, however that happens.
 */
export function exclusively<R>(url: string, body: () => Promise<R>): Promise<R> {
  return withSession(url, async (client) => {
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${exclusiveLock}) AS is_ours`);
    if (!rows[0]?.is_ours) throw busyElsewhere();
    return body();
  });
}
