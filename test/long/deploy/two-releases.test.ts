import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingTool, startPlainProxy } from '../../deploy/proxies.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { freePort } from '../../helpers/free-port.ts';
import { nextRelease } from '../../helpers/next-release.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const loads = 30;

describe('the dashboard while two releases run', async () => {
  // Other names for all scripts, as any change of the dashboard gives them.
  const later = untilEnd(nextRelease('1.0.1', {}, { renamesAssets: true }));
  const first = untilEnd(await startService());
  const second = untilEnd(await startService({ program: later.program }));
  const upstreams = [first, second].map(({ address }) => new URL(address).host);

  it('has other scripts in each', async () => {
    const [one, other] = await Promise.all([first, second].map(({ address }) => scriptsOf(address)));
    assert.ok(one!.length > 0);
    assert.notDeepEqual(one, other);
  });

  for (const name of ['caddy', 'nginx', 'haproxy'] as const)
    it(`gives a page all its files behind ${name}`, { skip: missingTool(name) }, async () => {
      const directory = untilEnd(temporaryDirectory());
      const proxy = untilEnd(
        await startPlainProxy(name, { directory: directory.path, port: await freePort(), upstreams }),
      );
      for (let load = 0; load < loads; load += 1)
        for (const file of await scriptsOf(proxy.address)) {
          const { status } = await fetch(`${proxy.address}${file}`);
          assert.equal(status, 200, `${file} in load ${load}`);
        }
    });
});

async function scriptsOf(address: string): Promise<string[]> {
  const html = await (await fetch(`${address}/login`)).text();
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}
