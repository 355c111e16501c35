import { type Answer, type ErrorCase, errors } from './errors.ts';
import type { Recorded } from './recorder.ts';

interface Seen {
  readonly client: string;
  readonly language: string;
  readonly answers: Readonly<Record<string, Answer>>;
  /** By the names of cases. */
  readonly sent: ReadonlyMap<string, readonly Recorded[]>;
}

const head = [
  ...['client', 'language', 'asks for', 'base64', 'dimensions'],
  ...['wrong key: 401', 'limit of a second: 429', 'month used up: 429', 'unavailable: 503'],
  ...['too long: 400', 'empty: 400'],
];

/** Returns the row of a client in the table of docs/clients.md. */
export function rowOf({ client, language, answers, sent }: Seen): string {
  const [first] = sent.get('success') ?? [];
  const isText = [first?.input].flat(2).every((input) => typeof input !== 'number');
  const isBase64 = first?.encoding_format === 'base64';
  const requests = sent.get('usedUp')?.length ?? 0;
  // How often a client retries can be up to a random delay of its own.
  const isRetried = (sent.get('unavailable')?.length ?? 0) > 1;
  const shown = (of: ErrorCase): string => {
    const { error, vectors } = answers[of] ?? {};
    if (!error) return vectors ? 'retried' : '–';
    const { status, message } = errors[of];
    const isOther = error.status !== status && error.status !== null;
    return `\`${error.type}\`${isOther ? `, ${error.status}` : ''}${message.test(error.message) ? '' : ', its own message'}`;
  };
  const cells = [
    `\`${client}\``,
    language,
    `${isText ? '' : 'token ids, '}${isBase64 ? 'base64' : 'numbers'}`,
    isBase64 || answers.base64 ? 'yes' : '–',
    answers.dimensions ? 'yes' : '–',
    shown('wrongKey'),
    shown('paced'),
    `${shown('usedUp')}${requests > 1 ? `, ${requests} requests` : ''}`,
    `${shown('unavailable')}${isRetried ? ', retried' : ''}`,
    shown('tooLong'),
    shown('empty'),
  ];
  return `| ${cells.join(' | ')} |`;
}

const between = /(<!-- clients -->\n)([\s\S]*?)(<!-- end of clients -->)/;

/** Returns the page with these rows. Those of clients that did not run stay. */
export function withRows(page: string, rows: readonly string[]): string {
  if (!between.test(page)) throw new Error('docs/clients.md has no place for the table');
  return page.replace(between, (_all, begin: string, table: string, end: string) => {
    const old = table.trim().split('\n').slice(2);
    const known = new Map([...old, ...rows].map(cellsOf).map((cells) => [cells.slice(0, 2).join(), cells]));
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
