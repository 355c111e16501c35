import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const checkout = fileURLToPath(new URL('../..', import.meta.url));

export interface Page {
  /** Relative to the checkout. */
  readonly path: string;
  /** Without fenced blocks and comments. */
  readonly prose: string;
  readonly blocks: readonly Block[];
}

/** A fenced block. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** Where it begins, as `README.md:12`. */
  readonly place: string;
  /** The reason in a `<!-- not run: … -->` comment before it. */
  readonly notRun: string | undefined;
}

/** Every page of the documentation. */
export function pages(): Page[] {
  const paths = globSync(['*.md', 'docs/**/*.md', 'test/**/*.md'], {
    cwd: checkout,
    exclude: ['**/node_modules/**'],
  });
  return paths.sort().map((path) => parse(path, readFileSync(`${checkout}/${path}`, 'utf8')));
}

const fence = /^(`{3,})(\S*)$/;
const marker = /^<!-- not run: (.+) -->$/;

function parse(path: string, text: string): Page {
  const prose: string[] = [];
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    const [, ticks, language = ''] = fence.exec(lines[i] ?? '') ?? [];
    if (ticks === undefined) {
      prose.push(lines[i] ?? '');
      continue;
    }
    const end = lines.indexOf(ticks, i + 1);
    if (end < 0) throw new Error(`${path}:${i + 1}: the block has no end`);
    const [, notRun] = marker.exec(prose.findLast((line) => line !== '') ?? '') ?? [];
    const code = `${lines.slice(i + 1, end).join('\n')}\n`;
    blocks.push({ language, code, place: `${path}:${i + 1}`, notRun });
    // Prevents the next block from taking this one's marker for its own.
    prose.push('(block)');
    i = end;
  }
  return { path, prose: prose.join('\n'), blocks };
}

/** The cells of the rows of the first table under a heading, without the header row. */
export function tableUnder({ prose, path }: Page, heading: string): string[][] {
  const [, section = ''] = prose.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [rows] = tablesIn(section);
  if (rows === undefined) throw new Error(`${path} has no table under "${heading}"`);
  return rows;
}

/** Returns the cells of all tables of a page, row by row, without the tables' heads. */
export function allRows({ prose }: Page): string[][] {
  return tablesIn(prose).flat();
}

function tablesIn(text: string): string[][][] {
  return [...text.matchAll(/^\|.*(?:\n\|.*)*/gm)].map(([table]) => {
    const [, , ...rows] = table.split('\n');
    return rows.map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  });
}
