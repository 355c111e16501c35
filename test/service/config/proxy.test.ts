import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { missingTool } from '../../deploy/proxies.ts';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { ForwardProxy } from '../../helpers/forward-proxy.ts';
import { freePort } from '../../helpers/free-port.ts';
import { ModelHub } from '../../helpers/model-hub.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { startOidcProvider } from '../../helpers/oidc-provider.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { UpstreamServer } from '../../helpers/upstream-server.ts';

const portOf = (address: string): number => Number(new URL(address).port);

describe('the proxy of the environment', async () => {
  const model = untilEnd(temporaryDirectory()).path;
  const data = untilEnd(temporaryDirectory()).path;
  const hub = untilEnd(await ModelHub.start({ 'acme/m': { directory: model } }));
  const upstream = untilEnd(await new UpstreamServer().listen());
  const provider = untilEnd(await startOidcProvider());
  const proxy = untilEnd(
    await ForwardProxy.start({
      'hub.test': portOf(hub.endpoint),
      'up.test': upstream.port,
      'id.test': portOf(provider.issuer),
    }),
  );
  before(() => writeBertModel(model));
  const pull = (environment: Record<string, string>) =>
    embedgate(['models', 'pull', 'acme/m'], {
      DATA_DIR: data,
      HF_ENDPOINT: 'http://hub.test',
      http_proxy: proxy.address,
      ...environment,
    });

  it('is used for a hub, without a scheme too, and never for this machine or for hosts of NO_PROXY', async () => {
    const { code, stderr } = await pull({});
    assert.equal(code, 0, stderr);
    assert.deepEqual(new Set(proxy.targets), new Set(['hub.test:80']));
    for (const NO_PROXY of ['hub.test', '*']) {
      const direct = await pull({ NO_PROXY });
      assert.match(
        direct.stderr,
        /hub\.test cannot be read: (ENOTFOUND|EAI_AGAIN)[^;]*; if there is a proxy, check HTTPS_PROXY/,
      );
    }
  });

  it('is used for an upstream and for a provider to sign in with', async () => {
    proxy.targets.length = 0;
    const PORT = String(await freePort());
    await using service = await startService({
      environment: {
        ...upstream.environment,
        ...provider.environment,
        PORT,
        PUBLIC_URL: `http://127.0.0.1:${PORT}`,
        EMBEDDING_UPSTREAM_URL: 'http://up.test/v1',
        OIDC_ISSUER: 'http://id.test',
        HTTP_PROXY: `http://${proxy.address}`,
      },
    });
    await new Browser(service.address).send('POST', '/v1/auth/sign-in/provider', { provider: 'oidc' });
    assert.deepEqual([...new Set(proxy.targets)].sort(), ['id.test:80', 'up.test:80']);
  });

  for (const [status, message] of [
    [
      407,
      /hub\.test cannot be read: the proxy refuses \(407\): put a user and a password that it accepts into its address$/m,
    ],
    [403, /hub\.test cannot be read: the proxy refuses \(403\): it must allow this host$/m],
    [502, /hub\.test cannot be read: the proxy returns 502$/m],
  ] as const)
    it(`is named with the status if it refuses: ${status}`, async () => {
      proxy.status = status;
      const { stderr } = await pull({});
      proxy.status = 200;
      assert.match(stderr, message);
    });

  it('is refused at the start if it is no HTTP proxy', async () => {
    const { code, stderr } = await pull({ http_proxy: 'socks5://user:secret@127.0.0.1:1' });
    assert.deepEqual(
      [code, stderr],
      [
        1,
        'embedgate: http_proxy: is not the address of an HTTP proxy; for example http_proxy=http://proxy.example.com:3128\n',
      ],
    );
  });

  it('can have an authority of its own, whose absence is named', {
    skip: missingTool('openssl'),
  }, async () => {
    const [key, certificate] = [join(data, 'hub.key'), join(data, 'hub.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', ...files, ...names], {
      stdio: 'pipe',
    });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) =>
      response.writeHead(404).end(),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const HF_ENDPOINT = `https://localhost:${(server.address() as AddressInfo).port}`;
    const alone = await pull({ HF_ENDPOINT });
    const trusting = await pull({ HF_ENDPOINT, NODE_EXTRA_CA_CERTS: certificate });
    server.close();
    assert.match(
      alone.stderr,
      /DEPTH_ZERO_SELF_SIGNED_CERT; set NODE_EXTRA_CA_CERTS to a file with the certificate/,
    );
    assert.match(trusting.stderr, /no such model, revision or file \(404\)$/m);
  });
});
