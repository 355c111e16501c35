import type { DatabaseSync } from 'node:sqlite';
import { rowOf } from '../database/sqlite/database.ts';
import { onceATurn } from '../lib/turns.ts';

/**
 * Notices commits of other connections, in this process or another, at the next call: `data_version` changes with every
 * commit, and triggers increment a counter when keys or organizations change.
 */
export function sqliteWatch(reader: DatabaseSync) {
  const versionStatement = reader.prepare('PRAGMA data_version');
  const counterStatement = reader.prepare('SELECT counter FROM changes');
  const listeners: ((orgId: string | undefined) => void)[] = [];
  // Takes some µs for a lock, so it runs once per turn of the event loop instead of once per request.
  const dataVersion = onceATurn(() => rowOf<{ data_version: number }>(versionStatement)?.data_version ?? 0);
  const counter = () => rowOf<{ counter: number }>(counterStatement)?.counter ?? 0;

  let seenVersion = dataVersion();
  let seenCounter = counter();

  return {
    /** Changes with every commit of any other connection. */
    dataVersion,
    current(): boolean {
      try {
        const version = dataVersion();
        if (version === seenVersion) return true;
        const count = counter();
        seenVersion = version;
        if (count !== seenCounter) {
          seenCounter = count;
          for (const listener of listeners) listener(undefined);
        }
        return true;
      } catch {
        // The file can't be read. The lookup that follows fails with the reason.
        return false;
      }
    },
    onChange(listener: (orgId: string | undefined) => void): void {
      listeners.push(listener);
    },
  };
}
