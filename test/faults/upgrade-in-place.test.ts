import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../helpers/directory.ts';
import { addsColumn, nextRelease } from '../helpers/next-release.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { type RunningService, startService } from '../helpers/service.ts';
import { startFaultLoad } from './rig/fault-load.ts';
import { usedOn } from './rig/two-programs.ts';

const upgrades = 20;

test(`SQLite loses and doubles nothing in ${upgrades} upgrades and returns, each stopped under load`, async (t) => {
  using later = nextRelease('1.1.0', {
    'src/database/migrations/steps/0002-1.0-note.ts': addsColumn('organizations'),
  });
  using directory = temporaryDirectory();
  const dataDir = directory.path;
  const serve = (place: number): Promise<RunningService> =>
    startService({ dataDir, ...(place % 2 === 1 && { program: later.program }) });
  let service = await serve(0);
  const { key } = service;
  const vectorOf = async (): Promise<string> =>
    JSON.stringify(
      ((await (await requestEmbeddings(service.address, key, 'a text to keep')).json()) as { data: unknown })
        .data,
    );
  const first = await vectorOf();
  let computed = 1;
  for (let place = 1; place <= upgrades; place += 1) {
    const load = startFaultLoad([{ key, address: () => service.address }]);
    while (load.met[0]!.computed < 5) await new Promise((resolve) => setTimeout(resolve, 20));
    const stopping = service.stop();
    await load.stop();
    assert.equal((await stopping).code, 0);
    computed += load.met[0]!.computed;
    service = await serve(place);
    assert.equal(await vectorOf(), first);
    // A request that the stop has cut off may have counted.
    const [used, counted] = await usedOn(service.address, key);
    assert.equal(used, counted);
    assert.ok(
      used >= computed && used <= computed + load.met[0]!.failed,
      `${used} used, ${computed} computed`,
    );
    computed = used;
  }
  t.diagnostic(`${computed} computed`);
  await service.stop();
});
