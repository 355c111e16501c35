import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../../src/cli/program.ts';
import { version } from '../../../src/version.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, runCommand, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';

describe('unusable secrets', () => {
  it('are refused without being repeated', async () => {
    for (const token of ['hf_first\nhf_second', 'hf_\u00e9', 'hf_a b']) {
      using directory = temporaryDirectory();
      const environment = { DATA_DIR: directory.path, HF_TOKEN: token, EMBEDDING_MODEL: 'acme/tiny-bert' };
      for (const args of [['serve'], ['models', 'pull', 'acme/tiny-bert']]) {
        const reason = refused(await runCommand(args, environment));
        assert.match(
          reason,
          /^HF_TOKEN: has characters that are not allowed in a header; for example HF_TOKEN=hf_…$/,
        );
      }
    }
  });

  it('are refused in the file auth-secret, and serve stops', async () => {
    const secrets: [(path: string) => void, RegExp][] = [
      [
        (path) => writeFileSync(path, ''),
        /^auth-secret in DATA_DIR has 0 bytes but needs 32 or more: put it back/,
      ],
      [(path) => writeFileSync(path, 'x'), /^auth-secret in DATA_DIR has 1 bytes/],
      [(path) => writeFileSync(path, `${'x'.repeat(31)}\n`), /^auth-secret in DATA_DIR has 31 bytes/],
      [(path) => mkdirSync(path), /^auth-secret in DATA_DIR is not a file: put it back/],
    ];
    for (const [write, message] of secrets) {
      using directory = temporaryDirectory();
      write(join(directory.path, 'auth-secret'));
      assert.match(refused(await runCommand(['serve'], { DATA_DIR: directory.path, PORT: '0' })), message);
    }
  });
});

describe('unusable settings', () => {
  it('are named, and repeated up to a bound', async () => {
    using directory = temporaryDirectory();
    const cases: [Record<string, string>, RegExp][] = [
      [{ HOST: 'a'.repeat(5_000) }, /^HOST: "a{200}…" is not an address of this machine; for example/],
      [{ EMBEDDING_DTYPE: '__proto__', EMBEDDING_MODEL: 'acme/x' }, /^EMBEDDING_DTYPE: is not a dtype/],
      [{ EMBEDDING_DTYPE: 'constructor', EMBEDDING_MODEL: 'acme/x' }, /^EMBEDDING_DTYPE: is not a dtype/],
    ];
    for (const [settings, message] of cases) {
      const environment = { DATA_DIR: directory.path, PORT: '0', ...settings };
      assert.match(refused(await runCommand(['serve'], environment)), message);
    }
  });

  it('name DATA_DIR where it cannot hold data, and never wait forever', async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'file');
    writeFileSync(file, '');
    writeFileSync(join(directory.path, 'models'), '');
    const cases: [string, RegExp][] = [
      ['/proc/nope', /^DATA_DIR: "\/proc\/nope" can't be used: /],
      [file, /^DATA_DIR: ".*file" is not a directory; for example DATA_DIR=\.\/data$/],
      [join(file, 'below'), /^DATA_DIR: ".*below" is not a directory; /],
      [directory.path, /^DATA_DIR: ".*models" is not a directory; /],
    ];
    for (const [DATA_DIR, message] of cases) {
      assert.match(refused(await runCommand(['serve'], { DATA_DIR, PORT: '0' })), message);
    }
  });
});

describe('usage', () => {
  it('--help explains the command', async () => {
    assert.match(
      done(await runCommand(['--help'])),
      /^Usage: embedgate [\s\S]*Commands:[\s\S]*\$ embedgate serve/,
    );
    assert.match(done(await runCommand(['keys', 'create', '--help'])), /--name <name> .*\[options\]\n/);
  });

  it('the help of every command has its whole path, and an example', () => {
    for (const { path, text } of helpOf(buildProgram({}), 'embedgate')) {
      assert.ok(text.startsWith(`Usage: ${path} `), text);
      assert.match(text, /\$ .*embedgate /, path);
    }
  });

  it('--version prints the version', async () => {
    for (const option of ['--version', '-v']) {
      assert.equal(done(await embedgate([option])), `${version}\n`);
    }
  });

  it('help prints the help of a command', async () => {
    assert.match(done(await runCommand(['help', 'keys'])), /^Usage: embedgate keys /);
  });

  it('names all missing options', async () => {
    const { code, stderr } = await embedgate(['orgs', 'set-tier']);
    assert.equal(code, 2);
    assert.match(stderr, /^embedgate: required options '--org-id <org>', '--tier <tier>' not specified\n/);
  });

  it('an unknown command or option is wrong usage, and the message shows the usage', async () => {
    const wrong: [args: string[], fault: RegExp][] = [
      [['frobnicate'], /unknown command 'frobnicate'/],
      [['keys', 'creat'], /unknown command 'creat'[\s\S]*create/],
      [['keys', 'list'], /say either --org-id or --installation/],
      [['keys', 'create', '--name', 'n', '--org-id', 'org_0'], /say --user-id, whose key it is/],
      [['keys', 'list', '--org-id'], /argument missing/],
      [['keys', 'list', '--org-id', 'org_0', '--jason'], /unknown option '--jason'[\s\S]*--json/],
      [['orgs', 'list', 'all'], /too many arguments/],
      [['usage', '--org-id', 'org_0', '--month', '2026-13'], /--month.*such as 2026-11/],
      [
        ['create', '--user-id', 'u', '--org-id', 'o', '--name', 'n', '--expires-in', '90'],
        /--expires-in.*"never"/,
      ],
    ];
    for (const [args, fault] of wrong) assert.match(wrongUsage(await runCommand(args)), fault);
  });

  it('without a command, the help goes to stderr', async () => {
    for (const args of [[], ['keys'], ['orgs'], ['signing-key']]) {
      const { code, stdout, stderr } = await runCommand(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^Usage: embedgate[\s\S]*Commands:/);
    }
  });
});

describe('failures', () => {
  it('a wrong setting gives one line that names the variable', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'http' }, /^PORT: "http" /],
      [{ SIGNING_KEY: '/nowhere' }, /^SIGNING_KEY is neither/],
      [{ AUTH_SECRET: 'short' }, /^AUTH_SECRET: has 5 bytes/],
    ];
    using directory = temporaryDirectory();
    for (const [environment, reason] of wrong) {
      const settings = { DATA_DIR: directory.path, ...environment };
      assert.match(refused(await runCommand(['orgs', 'create', '--name', 'Acme'], settings)), reason);
    }
    assert.match(refused(await runCommand(['serve'], { DATA_DIR: directory.path, PORT: 'x' })), /^PORT/);
  });

  it('a port in use stops the server with one line', async () => {
    using directory = temporaryDirectory();
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    try {
      const settings = { DATA_DIR: directory.path, EMBEDDING_WORKERS: '1', PORT: String(port) };
      assert.match(refused(await embedgate(['serve'], settings)), new RegExp(`^PORT: ${port} is in use`));
    } finally {
      taken.close();
    }
  });

  it('a missing or damaged data directory gives one line that names it', async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'file');
    writeFileSync(file, '');
    assert.ok(refused(await runCommand(['orgs', 'list'], { DATA_DIR: file })).includes(file));

    writeFileSync(join(directory.path, 'embedgate.db'), 'no database at all '.repeat(100));
    const damaged = refused(await embedgate(['orgs', 'list', '--json'], { DATA_DIR: directory.path }));
    assert.match(damaged, /file is not a database/);
    assert.ok(damaged.includes(directory.path));
  });

  const unusable: Record<string, [make: (path: string) => void, reason: RegExp]> = {
    'is no database': [(path) => writeFileSync(path, 'garbage '.repeat(100)), /file is not a database$/],
    'is a directory': [(path) => mkdirSync(path), /unable to open database file$/],
    'belongs to another user': [
      (path) => writeFileSync(path, '', { mode: 0o600 }),
      /\/cache\.db belongs to user 0, and this is user 65534\)$/,
    ],
  };
  for (const [name, [make, reason]] of Object.entries(unusable)) {
    const user = name.includes('user') ? 65_534 : undefined;
    const skip = user !== undefined && process.getuid?.() !== 0;
    it(`a cache.db that ${name} ends a command with one line`, { skip }, async () => {
      using directory = temporaryDirectory();
      make(join(directory.path, 'cache.db'));
      if (user !== undefined) chownSync(directory.path, user, user);
      const settings = { DATA_DIR: directory.path };
      const create = ['orgs', 'create', '--name', 'Acme'];
      const ended = refused(await embedgate(create, settings, undefined, '', user));
      assert.match(ended, /can't be opened: cache\.db: /);
      assert.match(ended, reason);
    });
  }

  it('a database of a newer program is left alone', async () => {
    using directory = temporaryDirectory();
    const newer = new DatabaseSync(join(directory.path, 'embedgate.db'));
    newer.exec(
      `CREATE TABLE schema_steps (name TEXT); INSERT INTO schema_steps VALUES ('0001-tables'), ('9999-later')`,
    );
    newer.close();
    const reason = refused(await runCommand(['orgs', 'list'], { DATA_DIR: directory.path }));
    assert.match(reason, /schema version 2, .*run the newer program/);
  });

  it('a stack is shown only for debugging', async () => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, 'embedgate.db'), 'no database '.repeat(1_000));
    const settings = { DATA_DIR: directory.path, LOG_LEVEL: 'debug' };
    const { code, stderr } = await runCommand(['orgs', 'create', '--name', 'Acme'], settings);
    assert.equal(code, 1);
    assert.match(stderr, /^embedgate: .*\n[\s\S]* at /);
  });

  it('a reader that closes the pipe is not a failure', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    done(await runCommand(['migrate'], environment));
    const running = spawnEmbedgate(['orgs', 'list', '--json'], environment);
    running.closeStdout();
    const { code } = await running.exited;
    assert.deepEqual([code, running.stderr()], [0, '']);
  });
});

/** The help of a command and of all its subcommands. */
function helpOf(command: Command, path: string): { path: string; text: string }[] {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  const children = command.commands.flatMap((child) => helpOf(child, `${path} ${child.name()}`));
  return [{ path, text }, ...children];
}
