import { type Command, InvalidArgumentError, Option } from 'commander';
import { maxPageLimit, type Page, type PageQuery } from '../lib/page.ts';
import type { PagedList } from '../lib/paged-list.ts';
import { parseCount } from './arguments.ts';
import { tell } from './output.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly after?: string;
  readonly sort?: string;
  readonly query?: string;
  readonly json?: boolean;
}

/** Adds the options of a command that lists rows. */
export function listOptions(command: Command, { sorts, defaultSort, searched }: PagedList): Command {
  command
    .option('--limit <rows>', 'print at most this many (default: all)', parseLimit)
    .option('--after <cursor>', 'continue after the rows that an earlier --limit has printed')
    .addOption(
      new Option('--sort <order>', `the order; a minus sign reverses it (default: ${defaultSort})`).choices(
        sorts,
      ),
    );
  if (searched.length > 0) {
    command.option(
      '-q, --query <text>',
      `print only those whose ${searched.join(' or ')} contains this text`,
    );
  }
  return command;
}

/** Returns the rows that the options ask for: all of them, read a page at a time, or those up to `--limit`. */
export async function readRows<T>(
  { limit = Number.POSITIVE_INFINITY, after, sort, query }: ListOptions,
  list: (query: PageQuery) => Promise<Page<T>>,
): Promise<Page<T>> {
  const data: T[] = [];
  let next = after ?? null;
  do {
    const missing = Math.min(limit - data.length, maxPageLimit);
    const page = await list({ limit: missing, after: next ?? undefined, sort, q: query });
    data.push(...page.data);
    next = page.next;
  } while (next !== null && data.length < limit);
  return { data, next };
}

/** Returns the message for an empty list. */
export function noneOf({ query, after }: ListOptions, rows: string): string {
  if (query !== undefined) return `No ${rows} match ${query}.`;
  return after === undefined ? `No ${rows} yet.` : `No more ${rows}.`;
}

/** Prints on stderr how to get the rows after these, if there are any. */
export function tellNext({ next }: Page<unknown>): void {
  if (next !== null) tell(`There are more. To continue, add: --after ${next}`);
}

function parseLimit(text: string): number {
  const limit = parseCount(text);
  if (limit === 0) throw new InvalidArgumentError('Give a whole number of 1 or more.');
  return limit;
}
