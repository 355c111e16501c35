import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { sections } from '../src/config/settings.ts';
import { markdownTable } from './markdown-table.ts';

// Compares docs/environment.md with the settings of the service and the comments on them. With --write it writes the
// tables and the list of secrets.

/** The meanings and, as `@default`, the defaults that are not simply values. */
const meanings = new Map<string, { readonly meaning: string; readonly standard: string | undefined }>();

function readMeanings(node: ts.Node): void {
  if (ts.isPropertyAssignment(node) && ts.isCallExpression(node.initializer)) {
    const [name] = node.initializer.arguments;
    const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    const standard = ts.getTextOfJSDocComment(comment?.tags?.[0]?.comment);
    const meaning = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll('\n', ' ');
    if (name && ts.isStringLiteral(name) && meaning) meanings.set(name.text, { meaning, standard });
  }
  ts.forEachChild(node, readMeanings);
}

for (const path of ['../src/config/settings.ts', '../packages/engine/src/variables.ts']) {
  const source = readFileSync(new URL(path, import.meta.url), 'utf8');
  readMeanings(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
}

const tables = sections.map((section) => {
  const rows = section.map(({ name, default: value }) => {
    const { meaning, standard } = meanings.get(name) ?? { meaning: '' };
    if (!meaning) throw new Error(`${name} needs a comment that states its meaning`);
    return [`\`${name}\``, standard ?? (value === null ? 'none' : `\`${value}\``), meaning];
  });
  return markdownTable(['variable', 'default', 'meaning'], rows);
});
const secrets = sections.flat().filter(({ isSecret }) => isSecret);
const files = secrets.map(({ name }) => `\`${name}_FILE\``);
const file = new URL('../docs/environment.md', import.meta.url);
const page = readFileSync(file, 'utf8');
const places = /^\|.*(?:\n\|.*)*/gm;
if (page.match(places)?.length !== tables.length)
  throw new Error(`docs/environment.md needs ${tables.length} tables, one for each section`);
const current = page
  .replace(places, () => tables.shift() ?? '')
  .replace(
    /^The variables are .*$/m,
    `The variables are ${files.slice(0, -1).join(', ')} and ${files.at(-1)}.`,
  );

if (process.argv.includes('--write')) {
  writeFileSync(file, current);
} else if (page !== current) {
  console.error('docs/environment.md differs from the settings: run "npm run settings-page"');
  process.exitCode = 1;
}
