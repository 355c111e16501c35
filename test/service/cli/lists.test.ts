import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { openGate } from '../../../src/service/gate.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from './outcomes.ts';

type List = { object: string; data: { name: string }[] };

/** More than a page. */
const made = 105;

describe('the commands that list rows', () => {
  const directory = temporaryDirectory();
  const environment = { DATA_DIR: directory.path };
  let orgId: string;
  before(async () => {
    const gate = await openGate(readConfig(environment), systemClock);
    const { organizations, keys, users } = gate;
    for (let i = 0; i < made; i += 1) {
      const number = String(i).padStart(3, '0');
      const organization = await organizations.create({
        name: i % 2 === 0 ? `Even ${number}` : `odd ${number}`,
      });
      orgId ??= organization.orgId;
      await keys.create({ orgId, userId: 'ada', name: `key ${number}` });
    }
    for (const name of ['Grace', 'Ada', 'Edsger']) await users.create({ email: `${name}@example.com`, name });
    await gate.close();
  });
  after(() => directory[Symbol.dispose]());

  const namesOf = async (...args: string[]) =>
    (await embedgateJson<List>(args, environment)).data.map(({ name }) => name);

  it('print everything, page by page, unless --limit says otherwise', async () => {
    const list = await embedgateJson<List>(['orgs', 'list'], environment);
    assert.deepEqual(Object.keys(list), ['object', 'data']);
    assert.equal(new Set(list.data.map(({ name }) => name)).size, made);
    assert.equal(list.data[0]?.name, 'Even 000');
    const keys = await namesOf('keys', 'list', '--org-id', orgId);
    assert.deepEqual([keys.length, keys[0]], [made, 'key 104']);
    const text = done(await embedgate(['orgs', 'list', '--limit', '102'], environment));
    assert.equal(text.trim().split('\n').length, 103);
  });

  it('continue where --limit has stopped, with the cursor that stderr shows', async () => {
    const args = ['keys', 'list', '--org-id', orgId, '--sort', 'name', '--limit', '103', '--json'];
    const first = await embedgate(args, environment);
    assert.equal(JSON.parse(done(first)).data.length, 103);
    const [, cursor = ''] = /^There are more\. To continue, add: --after (\S+)\n$/.exec(first.stderr) ?? [];
    const rest = await embedgate([...args, '--after', cursor], environment);
    const names = (JSON.parse(done(rest)) as List).data.map(({ name }) => name);
    assert.deepEqual([names, rest.stderr], [['key 103', 'key 104'], '']);
  });

  it('sort and search', async () => {
    assert.deepEqual(await namesOf('orgs', 'list', '--sort', '-name', '--limit', '2'), [
      'odd 103',
      'odd 101',
    ]);
    assert.deepEqual(await namesOf('orgs', 'list', '-q', 'ODD 10'), ['odd 101', 'odd 103']);
    assert.deepEqual(await namesOf('orgs', 'list', '--query', orgId.toUpperCase()), ['Even 000']);
    assert.deepEqual(await namesOf('users', 'list', '--sort', 'email'), ['Ada', 'Edsger', 'Grace']);
    assert.deepEqual(await namesOf('users', 'list', '--query', 'GR', '--sort', 'name'), ['Grace']);
    const none = await embedgate(['orgs', 'list', '--query', 'nothing'], environment);
    assert.deepEqual([done(none), none.stderr], ['', 'No organizations match nothing.\n']);
  });

  it('refuse options that do not fit', async () => {
    assert.match(
      wrongUsage(await embedgate(['orgs', 'list', '--limit', '0'], environment)),
      /whole number of 1 or more/,
    );
    assert.match(
      wrongUsage(await embedgate(['orgs', 'list', '--sort', 'size'], environment)),
      /Allowed choices are created/,
    );
    assert.match(
      refused(await embedgate(['orgs', 'list', '--after', 'x'], environment)),
      /^after must be the value of next/,
    );
    assert.match(
      refused(await embedgate(['users', 'list', '--query', 'a', '--sort', 'created'], environment)),
      /^With q, sort must be/,
    );
  });
});
