import { boundsOf, labelOf, type Period } from './period.ts';
import { figureNames, type Senders, type UsageRow, usageFigures } from './reports.ts';
import type { UsageReader } from './usage-snapshot.ts';

/** Days, or hours, per read. Bounds the memory: a year of a thousand keys is never held at once. */
const daysPerRead = 14;

/** `excel`: CSV with a byte order mark. */
export type ExportFormat = 'csv' | 'excel' | 'json';

interface Exported {
  readonly orgId: string;
  readonly period: Period;
  readonly keyIds: Senders;
}

type Named = { readonly name: string; readonly userId: string | null };

interface Sources {
  readonly usage: UsageReader;
  readonly keys: { byId(orgId: string, rows: readonly UsageRow[]): Promise<Map<string, Named>> };
}

/** Yields the pieces of a file with one row per day, key and model, or per hour if the period is not whole days. */
export async function* exportUsage(
  sources: Sources,
  exported: Exported,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { unit } = boundsOf(exported.period);
  if (format !== 'json') {
    yield `${format === 'excel' ? '\ufeff' : ''}${unit},key_id,key_name,user_id,${figureNames.join(',')},model\r\n`;
    for await (const { rows, names } of chunks(sources, exported)) {
      yield rows.map((row) => csvLine(labelOf(row.day, unit), row, names.get(row.keyId))).join('');
    }
    return;
  }
  yield '{"object":"list","data":[';
  let separator = '\n';
  for await (const { rows, names } of chunks(sources, exported)) {
    for (const row of rows) {
      const { day, keyId, model } = row;
      const figures = Object.fromEntries(usageFigures.map((figure, i) => [figureNames[i], row[figure]]));
      const { name: key_name, userId: user_id } = names.get(keyId) ?? { name: null, userId: keyId };
      const key = { key_id: keyId, key_name, user_id };
      yield separator +
        JSON.stringify({ [unit]: labelOf(day, unit), ...key, ...figures, model: model || null });
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

/** Rows of some days, and their keys by id. */
interface Chunk {
  readonly rows: readonly UsageRow[];
  readonly names: ReadonlyMap<string, Named>;
}

async function* chunks({ usage, keys }: Sources, { orgId, period, keyIds }: Exported): AsyncGenerator<Chunk> {
  const { first, end, unit } = boundsOf(period);
  for (let day = first; day < end; day += daysPerRead) {
    const rows = await usage.rows(orgId, day, Math.min(day + daysPerRead, end), unit);
    const wanted = keyIds === null ? rows : rows.filter((row) => keyIds.includes(row.keyId));
    if (wanted.length === 0) continue;
    yield { rows: wanted, names: await keys.byId(orgId, wanted) };
  }
}

/**
 * Matches every place in a name where a spreadsheet could see the start of a formula. Many spreadsheets split cells at
 * a separator other than the comma, and quotation marks inside a cell then have no effect.
 */
const formulaStart = /(^|\r\n|[,;|\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|(?<!.)[\t\r])/g;

/** Returns a line as RFC 4180 defines it, with an apostrophe before anything that could be a formula. */
function csvLine(time: string, row: UsageRow, key: Named | undefined): string {
  const figures = usageFigures.map((column) => row[column]);
  return `${[time, row.keyId, csvCell(key?.name ?? ''), csvCell((key ? key.userId : row.keyId) ?? ''), ...figures, csvCell(row.model)].join(',')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = text.replace(formulaStart, "$1'");
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
