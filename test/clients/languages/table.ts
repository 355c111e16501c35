import type { Recorded } from '../recorder.ts';
import { isUnavailable } from '../suite.ts';

/** What a client returned to its user, or the error. */
export interface Answer {
  readonly vectors?: readonly (readonly number[])[];
  readonly error?: { readonly type: string; readonly status: number | null; readonly message: string };
}

interface Seen {
  readonly client: string;
  readonly language: string;
  readonly answers: Readonly<Record<string, Answer>>;
  /** By the names of cases. */
  readonly sent: ReadonlyMap<string, readonly Recorded[]>;
}

/** Returns the row of a client in the table of docs/clients.md. */
export function rowOf({ client, language, answers, sent }: Seen): string {
  const [first] = sent.get('success') ?? [];
  const requests = sent.get('usedUp')?.length ?? 0;
  // How often a client retries can be up to a random delay of its own.
  const retries = (sent.get('unavailable')?.length ?? 0) > 1 ? ', retried' : '';
  const isOurs = isUnavailable.test(answers.unavailable?.error?.message ?? '');
  const isText = [first?.input].flat(2).every((input) => typeof input !== 'number');
  const cells = [
    `\`${client}\``,
    language,
    `${isText ? '' : 'token ids, '}${first?.encoding_format === 'base64' ? 'base64' : 'numbers'}`,
    shown(answers.wrongKey),
    answers.paced?.vectors ? 'retried' : shown(answers.paced),
    `${shown(answers.usedUp)}, ${requests} request${requests === 1 ? '' : 's'}`,
    `${shown(answers.unavailable)}${retries}${isOurs ? '' : ', its own message'}`,
    shown(answers.tooLong),
    shown(answers.empty),
  ];
  return `| ${cells.join(' | ')} |`;
}

const shown = ({ error, vectors }: Answer = {}): string => {
  if (vectors) return vectors.length === 1 ? 'a vector' : `${vectors.length} vectors`;
  if (!error) return 'not offered';
  return `\`${error.type}\`${error.status === null ? '' : `, ${error.status}`}`;
};

const between = /(<!-- languages -->\n)([\s\S]*?)(<!-- end of languages -->)/;

/** Returns the page with these rows, by the names of clients. Others stay. */
export function withRows(page: string, rows: ReadonlyMap<string, string>): string {
  if (!between.test(page)) throw new Error('docs/clients.md has no place for the table');
  return page.replace(between, (_all, begin: string, table: string, end: string) => {
    const [head = [], , ...old] = table.trim().split('\n').map(cellsOf);
    const known = new Map(old.map((cells) => [cells[0], cells]));
    for (const row of rows.values()) known.set(cellsOf(row)[0], cellsOf(row));
    const body = [...known.values()].sort(([, a = ''], [, b = '']) => (a < b ? -1 : a > b ? 1 : 0));
    return `${begin}\n${aligned([head, ...body]).join('\n')}\n\n${end}`;
  });
}

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Formats a table as `npm run format` does. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((cells) => cells[i]!.length)));
  const lines = rows.map((cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0]!, rule, ...lines.slice(1)];
}
