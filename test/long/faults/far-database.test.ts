import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { embedgate } from '../../helpers/embedgate.ts';
import { type OwnPostgres, ownedDatabase, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { openRelay, type TcpRelay } from '../../helpers/tcp-relay.ts';

describe('a database that is far away', () => {
  let postgres: OwnPostgres;
  let relay: TcpRelay;
  let replicas: Replicas;
  before(async () => {
    postgres = await startPostgres({ durable: true });
    relay = await openRelay((await ownedDatabase(postgres)).url);
    replicas = await startReplicas(relay.url, 0);
  });
  after(async () => {
    relay.delay(0);
    await replicas[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  test('works over a round trip of 100 milliseconds', async () => {
    const { keys } = await newOrganization(replicas.gate, { requests: 10, window: 'month' }, 1);
    relay.delay(50);
    await using service = await startService({ environment: replicas.environment });
    for (const text of ['a', 'b', 'a']) {
      const response = await requestEmbeddings(service.address, keys[0]!, text);
      assert.equal(response.status, 200, await response.text());
    }
    assert.equal(await statusWith(service.address, keys[0]!), 200);
    assert.equal((await fetch(`${service.address}/ready`)).status, 200);
  });

  test('stops the start with one line about it over a round trip of 500 milliseconds', async () => {
    relay.delay(250);
    const { code, stderr } = await embedgate(['serve'], replicas.environment);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^embedgate: .*no connection within 1 second, 3 times\. .*150 milliseconds or more\n$/m,
    );
  });
});
