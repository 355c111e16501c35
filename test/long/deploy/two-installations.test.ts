import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingTool, startSplit } from '../../deploy/proxies.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { freePort } from '../../helpers/free-port.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('two installations at one address', async () => {
  const first = untilEnd(await startService());
  const second = untilEnd(await startService({ environment: { KEY_PREFIX: 'second' } }));
  const upstreams = [first, second].map(({ address }) => new URL(address).host);

  for (const name of ['caddy', 'nginx'] as const)
    it(`each get the requests with their keys from ${name}`, { skip: missingTool(name) }, async () => {
      const directory = untilEnd(temporaryDirectory());
      const port = await freePort();
      untilEnd(await startSplit(name, { directory: directory.path, port, upstreams }));
      const organizationOf = async (headers: Record<string, string>) => {
        const response = await fetch(`http://127.0.0.1:${port}/v1/organizations`, { headers });
        const { data = [] } = (await response.json()) as { data?: { org_id: string }[] };
        return data[0]?.org_id ?? response.status;
      };
      for (const { key, orgId } of [first, second]) {
        assert.equal(await organizationOf({ authorization: `Bearer ${key}` }), orgId);
        assert.equal(await organizationOf({ authorization: `bearer ${key}` }), orgId);
        assert.equal(await organizationOf({ 'api-key': key }), orgId);
      }
      assert.equal(await organizationOf({ authorization: `Bearer second_${first.key}` }), 401);
    });
});
