import { readFileSync, writeFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { buildProgram } from '../src/cli/program.ts';
import { markdownTable } from './markdown-table.ts';

// Compares docs/cli.md with the commands that the program has. With --write it writes the page.

const introduction = `<!-- Written by "npm run cli-page". Change the descriptions in src/cli instead. -->

# Command line

Run the commands as \`npx embedgate …\` inside a checkout. The name is not published yet, so elsewhere \`npx\` would fetch
a package that is not ours. Commands work while the service runs, except \`restore\` and \`migrate --from\`, and the
service applies each change immediately. The command and the service need the same [settings](environment.md), such as
\`DATA_DIR\`, \`DATABASE_URL\` and \`SIGNING_KEY\`. Only [\`embed\`](corpus.md),
[\`compare\`](models.md#compare-models), [\`export\` and \`apply\`](installation-as-files.md) need none of them, but a key.

- \`--help\` prints a command's usage.
- \`--json\` prints one JSON document to stdout. All commands except \`serve\` have it; \`api\` prints JSON anyway. Messages go to stderr.
- The exit code is 0 for success, 1 when the command refuses or fails, and 2 for wrong usage.
  \`apply --plan\` has 3 if there are changes.
`;

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

function leavesOf(command: Command, path: string): Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`));
}

function cliPage(program: Command): string {
  const leaves = leavesOf(program, program.name());
  const overview = leaves.map(({ path, command }) => [`\`${path}\``, plain(command.description())]);
  const sections = leaves.map(({ path, command }) => {
    const args = command.registeredArguments.map((argument) => [
      `\`<${argument.name()}>\``,
      plain(argument.description),
    ]);
    const options = command.options.map((option) => [
      `\`${option.flags}\``,
      meaningOf(option, command.usage()),
    ]);
    return `## \`${path}\`

${sentence(command.description())}

Usage: \`${path} ${command.usage()}\`

${markdownTable(['argument or option', 'meaning'], [...args, ...options])}
`;
  });
  return [introduction, `${markdownTable(['command', 'what it does'], overview)}\n`, ...sections].join('\n');
}

/** The usage names the required options. */
function meaningOf({ description, flags, defaultValue }: Option, usage: string): string {
  const isRequired = usage.includes(flags);
  const note = isRequired ? ' (required)' : defaultValue === undefined ? '' : ` (default: ${defaultValue})`;
  return plain(description) + note;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${plain(text).slice(1)}.`;

/** Keeps Markdown from reading a placeholder such as <id> as HTML. */
const plain = (text: string): string => text.replace(/[<|]/g, '\\$&');

const file = new URL('../docs/cli.md', import.meta.url);
const current = cliPage(buildProgram({}));

if (process.argv.includes('--write')) {
  writeFileSync(file, current);
} else if (readFileSync(file, 'utf8') !== current) {
  console.error('docs/cli.md differs from the commands of the program: run "npm run cli-page"');
  process.exitCode = 1;
}
