import { figureColumns, tables } from './tables.ts';

/**
 * Triggers increment a counter, so that every server notices changes of keys and organizations by this program, by
 * another process, or by a person with a database shell.
 */
const changes = [
  `CREATE TABLE changes (counter INTEGER NOT NULL)`,
  `INSERT INTO changes VALUES (0)`,
  ...['organizations', 'api_keys'].flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map(
      (event) =>
        `CREATE TRIGGER ${table}_${event.toLowerCase()}_changes AFTER ${event} ON ${table}
         BEGIN UPDATE changes SET counter = counter + 1; END`,
    ),
  ),
];

/** Without its token, a revoked key can't become valid again, whatever its row is changed to. */
const revocation = `CREATE TRIGGER api_keys_revoked AFTER UPDATE OF status ON api_keys WHEN NEW.status = 'revoked'
  BEGIN UPDATE api_keys SET token = x'' WHERE key_id = NEW.key_id; END`;

/** A trigger that adds what a statement has added to a record to the record's month and day, in the same statement. */
const usageSum = (event: string, before: (figure: string) => string): string => {
  const sums = figureColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');
  const more = figureColumns.map((figure) => `NEW.${figure} - ${before(figure)}`).join(', ');
  return `CREATE TRIGGER usage_records_${event.toLowerCase()}_sums AFTER ${event} ON usage_records BEGIN
    INSERT INTO usage_monthly (org_id, first_day, key_id, model, ${figureColumns})
    VALUES (NEW.org_id, unixepoch(NEW.day * 86400, 'unixepoch', 'start of month') / 86400, NEW.key_id, NEW.model, ${more})
    ON CONFLICT (org_id, first_day, key_id, model) DO UPDATE SET ${sums};
    INSERT INTO usage_by_day (org_id, day, ${figureColumns}) VALUES (NEW.org_id, NEW.day, ${more})
    ON CONFLICT (org_id, day) DO UPDATE SET ${sums};
  END`;
};

export const sqliteStatements = (): string[] => [
  ...tables({
    id: 'TEXT',
    bytes: 'BLOB',
    serial: 'INTEGER PRIMARY KEY',
    random: 'INTEGER NOT NULL DEFAULT (abs(random() >> 33))',
    clustered: ' WITHOUT ROWID',
  }),
  ...changes,
  revocation,
  usageSum('INSERT', () => '0'),
  usageSum('UPDATE', (figure) => `OLD.${figure}`),
];
