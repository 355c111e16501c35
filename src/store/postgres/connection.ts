import { Socket } from 'node:net';
import pg from 'pg';

/**
 * The bounds of every call, in milliseconds: `connect` to get a connection, then `query` until its answer. The server gives up
 * a statement at `statement`, before we give up its connection, so that its outcome is known if it can be.
 */
export const deadlinesMs = { connect: 1_000, statement: 1_700, query: 2_000, idleInTransaction: 2_000 };

/** Asks for a lock on no row: refused by a server that takes no writes, as one that was the primary before a failover. */
export const writableText = 'SELECT FROM schema_versions LIMIT 0 FOR UPDATE';

const keepAliveInitialDelayMs = 10_000;

const { builtins, getTypeParser } = pg.types;
const parseBytea: (text: string) => Buffer = getTypeParser(builtins.BYTEA, 'text');

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // Whatever we store is below 2^53.
    if (oid === builtins.INT8) return Number;
    // As SQLite gives them: bytes with a buffer of their own.
    if (oid === builtins.BYTEA) return (text: string) => new Uint8Array(parseBytea(text));
    return getTypeParser(oid, format as 'text');
  },
};

/** What connections have in common. `sockets` gets those that are open, for whoever must end them without the server. */
export function connectionConfig(url: string, sockets: Set<Socket>): pg.ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: 'embedgate',
    connectionTimeoutMillis: deadlinesMs.connect,
    query_timeout: deadlinesMs.query,
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
