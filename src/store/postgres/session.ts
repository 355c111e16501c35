import pg from 'pg';
import { connectionConfig, deadlinesMs } from './connection.ts';
import { toldFault } from './faults.ts';

/** What pg says when a connection takes longer than it may. */
const tooSlow = 'timeout expired';
const tooSlowMessage =
  `no connection within ${deadlinesMs.connect / 1_000} second. ` +
  'The server does not answer, or a round trip to it takes 150 milliseconds or more';

/** Runs `body` on a connection of its own, for statements that take as long as they take. */
export async function withSession<R>(url: string, body: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ ...connectionConfig(url, new Set()), query_timeout: 0 });
  // A connection that is lost while nothing is asked of it: the next statement says so.
  client.on('error', () => {});
  try {
    await client.connect().catch((reason: Error) => {
      throw reason.message === tooSlow ? new Error(tooSlowMessage, { cause: reason }) : reason;
    });
    return await body(client);
  } catch (reason) {
    throw toldFault(reason);
  } finally {
    await client.end();
  }
}
