import { createRequire } from 'node:module';
import type Table from 'cli-table3';

const require = createRequire(import.meta.url);

type Cell = string | number;

const noLines = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** Columns two spaces apart, without lines or colours: the same on a terminal and in a pipe. Numbers stand right. */
export function columns(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return plain(
    head.map((title) => title.toUpperCase()),
    rows,
  );
}

/** A name and its value a line. */
export function fields(pairs: readonly (readonly [name: string, value: Cell])[]): string {
  return plain(
    [],
    pairs.map(([name, value]) => [name, String(value)]),
  );
}

function plain(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  // Loaded for the first table: the server shows none, and starts without it.
  const TableOfText: typeof Table = require('cli-table3');
  const table = new TableOfText({
    head: [...head],
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colAligns: (rows[0] ?? []).map((cell) => (typeof cell === 'number' ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/ +$/gm, '');
}
