import pg from 'pg';
import { connectionConfig } from './connection.ts';
import { toldFault } from './faults.ts';

/** Runs `body` on a connection of its own, for statements that take as long as they take. */
export async function withSession<R>(url: string, body: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ ...connectionConfig(url, new Set()), query_timeout: 0 });
  // A connection that is lost while nothing is asked of it: the next statement says so.
  client.on('error', () => {});
  try {
    await client.connect();
    return await body(client);
  } catch (reason) {
    throw toldFault(reason);
  } finally {
    await client.end();
  }
}
