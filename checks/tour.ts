import { readFileSync, writeFileSync } from 'node:fs';

// Compares the links of docs/tour.md with the code: each line must define the name that the link shows. With --write it
// corrects the lines.

const page = new URL('../docs/tour.md', import.meta.url);
const link = /\[`(\w+)`\]\(([\w./-]+)#L\d+\)/g;

/** Returns the number of the line that defines `name`, from 1. */
function lineOf(name: string, path: string): number {
  const definition = new RegExp(`^(export )?(async )?(function|class|interface|const) ${name}\\b`);
  const lines = readFileSync(new URL(path, page), 'utf8').split('\n');
  const index = lines.findIndex((line) => definition.test(line));
  if (index < 0) throw new Error(`docs/tour.md: ${path} does not define ${name}`);
  return index + 1;
}

const before = readFileSync(page, 'utf8');
const current = before.replace(link, (_, name, path) => `[\`${name}\`](${path}#L${lineOf(name, path)})`);

if (process.argv.includes('--write')) {
  writeFileSync(page, current);
} else if (before !== current) {
  console.error('docs/tour.md links to lines that have moved: run "npm run tour"');
  process.exitCode = 1;
}
