import { Socket } from 'node:net';
import pg from 'pg';
import { stepsTable } from '../migrations/index.ts';

/**
 * The deadlines of every call: `connect` for getting a connection, then `query` for the response. `statement` is
 * shorter than `query`, so the server usually reports the outcome before we drop the connection. A cache lookup gives
 * up after `lookUp`, and the request computes the vectors instead.
 */
export type Deadlines = Readonly<
  Record<'connect' | 'statement' | 'query' | 'idleInTransaction' | 'lookUp', number>
>;

export const deadlinesMs: Deadlines = {
  connect: 1_000,
  statement: 1_700,
  query: 2_000,
  idleInTransaction: 2_000,
  lookUp: 400,
};

/** Locks no rows. A server that is read-only, such as the old primary after a failover, refuses it. */
export const writableText = `SELECT FROM ${stepsTable} LIMIT 0 FOR UPDATE`;

const keepAliveInitialDelayMs = 10_000;

const { builtins, getTypeParser } = pg.types;
// The package has no name for BIGINT[].
const int8ArrayOid: number = 1016;
const parseInt8Array: (text: string) => string[] = getTypeParser(int8ArrayOid, 'text');
const parseBytea: (text: string) => Buffer = getTypeParser(builtins.BYTEA, 'text');

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // All stored numbers are below 2^53.
    if (oid === builtins.INT8) return Number;
    if (oid === int8ArrayOid) return (text: string) => parseInt8Array(text).map(Number);
    // As SQLite returns them: with a buffer of their own.
    if (oid === builtins.BYTEA) return (text: string) => new Uint8Array(parseBytea(text));
    return getTypeParser(oid, format as 'text');
  },
};

const systemRoots = /\bsslrootcert=system(?=&|$)/;

/** Returns the address with the check of the server's certificate that it asks for, as pg understands it. */
function withChecks(url: string): string {
  // In libpq, only the full check is possible with the system's authorities. In pg, the last `sslmode` holds.
  if (systemRoots.test(url)) return `${url.replace(systemRoots, '')}&sslmode=verify-full`;
  if (/\buselibpqcompat=true\b/.test(url)) return url;
  // pg treats these as verify-full, and prints a long warning that this will change.
  return url.replace(/\bsslmode=(prefer|require|verify-ca)\b/, 'sslmode=verify-full');
}

/**
 * Returns the configuration of a connection. `sockets` always has the open sockets, to close them without the server.
 */
export function connectionConfig(
  url: string,
  sockets: Set<Socket>,
  { connect, query }: Deadlines = deadlinesMs,
): pg.ClientConfig {
  return {
    connectionString: withChecks(url),
    fallback_application_name: 'embedgate',
    connectionTimeoutMillis: connect,
    query_timeout: query,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveInitialDelayMs,
    types,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  };
}
