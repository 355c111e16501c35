import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

// Compares the links of docs/tour.md and docs/architecture.md with the code: each line must define the name that the link
// shows, such as `embed` or `Pacer.reserve`. With --write it corrects the lines.

const tour = new URL('../docs/tour.md', import.meta.url);
const pages = ['tour.md', 'architecture.md'];
const link = /\[`([\w.#]+)`\]\(([\w./-]+)#L\d+\)/g;

/** Returns the definition of a name in a file, or in the definition of what stands before the dot. */
function definitionOf(name: string, path: string): { readonly line: number; readonly lines: number } {
  const source = readFileSync(new URL(path, tour), 'utf8');
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  let definition: ts.Node | undefined = file;
  for (const part of name.split('.')) definition = definition && named(part, definition);
  if (!definition) throw new Error(`${path} does not define ${name}`);
  const [from, to] = [definition.getStart(), definition.end].map(
    (position) => file.getLineAndCharacterOfPosition(position).line + 1,
  );
  return { line: from!, lines: to! - from! + 1 };
}

/** Returns what has a name in a node: a declaration, a member or a method, the outermost first. */
function named(name: string, within: ts.Node): ts.Node | undefined {
  const isIt = (node: ts.Node): boolean =>
    ts.isVariableStatement(node)
      ? node.declarationList.declarations.some(isIt)
      : (node as ts.NamedDeclaration).name?.getText() === name;
  let level = within.getChildren();
  while (level.length > 0) {
    const found = level.find(isIt);
    if (found) return found;
    level = level.flatMap((node) => node.getChildren());
  }
  return undefined;
}

/** Returns how many lines one reads who follows each link of the tour. */
export function linesOnTour(): number {
  const linked = new Map(
    [...readFileSync(tour, 'utf8').matchAll(link)].map(([, name = '', path = '']) => [
      `${path} ${name}`,
      definitionOf(name, path).lines,
    ]),
  );
  return [...linked.values()].reduce((sum, lines) => sum + lines, 0);
}

if (import.meta.main) {
  for (const name of pages) {
    const page = new URL(`../docs/${name}`, import.meta.url);
    const before = readFileSync(page, 'utf8');
    const current = before.replace(
      link,
      (_, name, path) => `[\`${name}\`](${path}#L${definitionOf(name, path).line})`,
    );
    if (process.argv.includes('--write')) {
      writeFileSync(page, current);
    } else if (before !== current) {
      console.error(`docs/${name} links to lines that have moved: run "npm run tour"`);
      process.exitCode = 1;
    }
  }
}
