import type { Database } from '../database/schema.ts';
import type { KeyRecord } from './key.ts';
import type { KeyRights, Scope } from './rights.ts';

type Row = Database['api_keys'];
/** The fields that rows have in another form. */
type Converted = Pick<KeyRecord, 'isSelfMade' | 'enabled' | keyof KeyRights>;
/** The fields of a record that a row has. */
type RecordOf<R> = Omit<R, keyof Converted> & Pick<Converted, keyof Converted & keyof R>;

/** Returns the record of a row, or of some of its fields. */
export function toRecord<R extends Pick<Row, keyof KeyRights | 'enabled'>>(row: R): RecordOf<R> {
  const { isSelfMade } = row as Partial<Row>;
  return {
    ...row,
    ...(isSelfMade !== undefined && { isSelfMade: isSelfMade === 1 }),
    enabled: row.enabled === 1,
    scopes: listIn(row.scopes, ' ') as Scope[],
    models: row.models === null ? null : listIn(row.models, '\n'),
    networks: row.networks === null ? null : listIn(row.networks, ' '),
  } as RecordOf<R>;
}

/** Returns the row of a record, or of some of its fields. */
export function toRow<R extends Partial<KeyRecord>>(
  record: R,
): Omit<R, keyof Converted> & Pick<Row, keyof Converted & keyof R> {
  const { isSelfMade, enabled, scopes, models, networks } = record;
  return {
    ...record,
    ...(isSelfMade !== undefined && { isSelfMade: Number(isSelfMade) }),
    ...(enabled !== undefined && { enabled: Number(enabled) }),
    ...(scopes && { scopes: scopes.join(' ') }),
    ...(models && { models: models.join('\n') }),
    ...(networks && { networks: networks.join(' ') }),
  } as ReturnType<typeof toRow<R>>;
}

const listIn = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));
