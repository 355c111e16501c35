import type { DatabaseSync } from 'node:sqlite';
import type { ChangeWatch } from '../../keys/authenticate.ts';
import { onceATurn } from '../../lib/once-a-turn.ts';

export interface SqliteWatch extends ChangeWatch {
  /** Changes with every commit of any other connection. */
  dataVersion(): number;
}

/**
 * Notices what other connections commit, in this process or another, at the next look: `data_version` tells of any
 * commit, and the counter that triggers raise tells whether keys or organizations were touched.
 */
export function sqliteWatch(reader: DatabaseSync): SqliteWatch {
  const versionStatement = reader.prepare('PRAGMA data_version');
  const counterStatement = reader.prepare('SELECT counter FROM changes');
  const listeners: ((orgId: string | undefined) => void)[] = [];
  // Some µs of locking, which a busy turn of the event loop pays once instead of for each of its requests.
  const dataVersion = onceATurn(() => versionStatement.get()?.data_version as number);
  const counter = () => counterStatement.get()?.counter as number;

  let seenVersion = dataVersion();
  let seenCounter = counter();

  return {
    dataVersion,
    current() {
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
        // The file can't be read: the lookup that follows says so with its reason.
        return false;
      }
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
