import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { type RunningService, startService } from '../../helpers/service.ts';
import { startWebhookReceiver } from '../../helpers/webhook-receiver.ts';

const environment = { WEBHOOK_PRIVATE_ADDRESSES: 'allow' };

/** A user who may do everything, signed in to any service on these data. */
async function administrator(service: RunningService) {
  const email = 'ada@example.com';
  const { password } = await embedgateJson<{ password: string }>(
    ['users', 'create', '--email', email, '--admin'],
    service.environment,
  );
  return (address: string) => new Browser(address).signIn({ email, password });
}

test('a webhook that hangs does not delay a shutdown, and is sent again after the next start', async () => {
  using directory = temporaryDirectory();
  await using receiver = await startWebhookReceiver();
  receiver.answer(null);
  const first = await startService({ dataDir: directory.path, environment });
  const path = `/v1/organizations/${first.orgId}/alerts`;
  const signIn = await administrator(first);
  const page = await signIn(first.address);
  const { target_id } = await page.ask<{ target_id: string }>(201, 'POST', `${path}/targets`, {
    kind: 'webhook',
    address: receiver.url,
  });
  await page.ask(202, 'POST', `${path}/targets/${target_id}/test`);
  await eventually(() => receiver.received.length === 1);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });

  receiver.answer(204);
  await using second = await startService({ dataDir: directory.path, environment });
  const later = await signIn(second.address);
  type Deliveries = { data: { status: string; attempts: number }[] };
  const deliveries = async () => (await later.ask<Deliveries>(200, 'GET', `${path}/deliveries`)).data;
  await eventually(async () => (await deliveries())[0]?.status === 'delivered');
  assert.deepEqual(
    (await deliveries()).map(({ attempts }) => attempts),
    [1],
  );
  const [broken, sent] = receiver.received;
  assert.equal(receiver.received.length, 2);
  assert.equal(sent?.headers['webhook-id'], broken?.headers['webhook-id']);
});

test('a service that is killed as a threshold is reached raises the alert once', async () => {
  using directory = temporaryDirectory();
  const first = await startService({ dataDir: directory.path });
  const signIn = await administrator(first);
  const { org_id: orgId } = await embedgateJson<{ org_id: string }>(
    ['orgs', 'create', '--name', 'Acme', '--tier', 'enterprise', '--limit', '10', '--window', 'month'],
    first.environment,
  );
  const { key } = await embedgateJson<{ key: string }>(
    ['keys', 'create', '--user-id', 'u', '--org-id', orgId, '--name', 'a key'],
    first.environment,
  );
  const answers = Array.from({ length: 8 }, (_, i) => requestEmbeddings(first.address, key, `text ${i}`));
  assert.ok((await Promise.all(answers)).every(({ status }) => status === 200));
  await first.kill('SIGKILL');

  await using second = await startService({ dataDir: directory.path });
  const page = await signIn(second.address);
  const raised = async () => {
    const path = `/v1/organizations/${orgId}/alerts`;
    const { data } = await page.ask<{ data: { threshold: number }[] }>(200, 'GET', path);
    return data.map(({ threshold }) => threshold).sort();
  };
  await eventually(async () => (await raised()).length >= 2);
  assert.deepEqual(await raised(), [50, 80]);
});
