import Table from 'cli-table3';

type Cell = string | number;

const lines = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((at) => [
  at,
  `${at}-mid`,
  `${at}-left`,
  `${at}-right`,
]);
const noLines = { ...Object.fromEntries(lines.map((line) => [line, ''])), middle: '  ' };
/**
 * Maximum lengths. Laying out a long cell takes quadratic time; a single value may be longer because it may be a path.
 */
const maxLength = { cell: 200, value: 4_096 };
/**
 * Control and format characters. A row that was changed by hand may contain escape sequences, which could rewrite the
 * terminal.
 */
const unprintable = /[\p{Cc}\p{Cf}]/gu;

/**
 * Returns columns two spaces apart, without lines or colors: the same on a terminal and in a pipe. Numbers are
 * right-aligned.
 */
export function columns(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return plain(
    head.map((title) => title.toUpperCase()),
    rows.map((row) => row.map((cell) => printable(cell, maxLength.cell))),
  );
}

/** Returns one line per pair of name and value. */
export function fields(pairs: readonly (readonly [name: string, value: Cell])[]): string {
  return plain(
    [],
    pairs.map(([name, value]) => [name, printable(String(value), maxLength.value)]),
  );
}

function plain(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({
    head: [...head],
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colAligns: (rows[0] ?? []).map((cell) => (typeof cell === 'number' ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/ +$/gm, '');
}

function printable(cell: Cell, maxLength: number): Cell {
  if (typeof cell === 'number') return cell;
  const text = cell.length > maxLength ? `${cell.slice(0, maxLength - 1)}…` : cell;
  return text.replace(unprintable, '\uFFFD');
}
