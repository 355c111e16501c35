import stringWidth from 'string-width';

type Cell = string | number;

/** Maximum lengths. A single value may be longer because it may be a path. */
const maxLength = { cell: 200, value: 4_096 };
/**
 * Control and format characters. A row that was changed by hand may contain escape sequences, which could rewrite the
 * terminal.
 */
const unprintable = /[\p{Cc}\p{Cf}]/gu;

/**
 * Returns columns two spaces apart, without lines or colors: the same on a terminal and in a pipe. Numbers are
 * right-aligned. `widths` has the widths of the part of the table before this one, and gets those of this one.
 */
export function columns(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  widths: number[] = [],
): string {
  return plain(
    [
      ...(head.length > 0 ? [head.map((title) => title.toUpperCase())] : []),
      ...rows.map((row) => row.map((cell) => printable(cell, maxLength.cell))),
    ],
    widths,
  );
}

/** Returns one line per pair of name and value. */
export const fields = (pairs: readonly (readonly [name: string, value: Cell])[]): string =>
  plain(pairs.map(([name, value]) => [name, printable(String(value), maxLength.value)]));

function plain(rows: readonly (readonly Cell[])[], widths: number[] = []): string {
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
    });
  }
  const isNumber = (rows.at(-1) ?? []).map((cell) => typeof cell === 'number');
  const padded = (cell: Cell, i: number): string => {
    const space = ' '.repeat(widths[i]! - widthOf(cell));
    return isNumber[i] ? `${space}${cell}` : `${cell}${space}`;
  };
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** Returns the number of columns that a terminal shows. The library looks at each character, which takes time. */
function widthOf(cell: Cell): number {
  const text = String(cell);
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

function printable(cell: Cell, maxLength: number): Cell {
  if (typeof cell === 'number') return cell;
  const text = cell.length > maxLength ? `${cell.slice(0, maxLength - 1)}…` : cell;
  return text.replace(unprintable, '\uFFFD');
}
