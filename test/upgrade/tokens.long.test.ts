import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { schemaVersion } from '../../src/store/migrations/index.ts';
import { done, refused } from '../cli/outcomes.ts';
import { embedgate, embedgateJson, spawnEmbedgate } from '../helpers/embedgate.ts';
import { eventually } from '../helpers/eventually.ts';
import { newPem } from '../helpers/replicas.ts';
import { statusWith } from '../helpers/requests.ts';
import { type ServiceOptions, startService } from '../helpers/service.ts';
import {
  bound,
  isBound,
  looksBound,
  type OlderInstallation,
  olderPostgres,
  olderSqlite,
  signingKeyPem,
} from './older-installation.ts';

// The tokens of releases 0.1 and 0.2 do not bind their key's digest, so the upgrade re-signs them.

const hourMs = 3_600_000;
const versionBefore = 4;

for (const [store, install] of Object.entries({ sqlite: olderSqlite, postgres: olderPostgres })) {
  describe(`the tokens of an older release on ${store}`, () => {
    let opened: AsyncDisposableStack;
    let installation: OlderInstallation;
    beforeEach(async () => {
      opened = new AsyncDisposableStack();
      installation = await install(opened);
    });
    afterEach(() => opened.disposeAsync());

    const serve = async (environment: ServiceOptions['environment'] = installation.environment) => {
      const { dataDir } = installation;
      return opened.use(await startService({ ...(dataDir && { dataDir }), environment: { ...environment } }));
    };
    const migrate = (more: string[] = [], environment = installation.environment) =>
      embedgate(['migrate', ...more], environment);
    const boundNow = () => bound(installation);
    const tokenOf = async (keyId: string) =>
      (await installation.keys()).find(({ key_id }) => key_id === keyId)!;

    it('are re-signed at the start, and each key works at its first request', async () => {
      const added = await installation.addKeys(30, Date.now() - 48 * hourMs);
      assert.deepEqual(await boundNow(), [0, 32]);
      const { address } = await serve();
      const secrets = [installation.known.key, ...added.map(({ secret }) => secret)];
      const statuses = await Promise.all(secrets.map((secret) => statusWith(address, secret)));
      assert.deepEqual([...new Set(statuses)], [200]);
      assert.deepEqual(await boundNow(), [32, 32]);
      assert.equal(await statusWith(address, installation.known.revoked_key), 401);
      const revoked = (await installation.keys()).filter(({ status }) => status === 'revoked');
      assert.deepEqual(
        revoked.map(({ token }) => token.length),
        [0],
      );
    });

    it('are re-signed by "embedgate migrate" alone, and once', async () => {
      done(await migrate());
      assert.deepEqual(await boundNow(), [2, 2]);
      const after = await installation.keys();
      done(await migrate());
      assert.deepEqual(await installation.keys(), after);
    });

    it('are all re-signed after a crash in the middle', async () => {
      let added: Awaited<ReturnType<OlderInstallation['addKeys']>>;
      let [some, all] = [0, 0];
      // Again from the beginning, with more keys, if it had re-signed all of them before the signal arrived.
      for (let count = 6_000; ; count *= 2) {
        added = await installation.addKeys(count, Date.now() - 48 * hourMs);
        const migrating = spawnEmbedgate(['migrate'], installation.environment);
        await eventually(async () => (await installation.keys()).some(looksBound), { everyMs: 1 });
        migrating.kill('SIGKILL');
        await migrating.exited;
        [some, all] = await boundNow();
        if (some < all) break;
        await opened.disposeAsync();
        opened = new AsyncDisposableStack();
        installation = await install(opened);
      }
      assert.ok(some > 0);
      assert.equal(await installation.schemaVersion(), versionBefore);
      done(await migrate());
      assert.deepEqual(await boundNow(), [all, all]);
      const { address } = await serve();
      for (const { secret } of added.slice(0, 20)) assert.equal(await statusWith(address, secret), 200);
    });

    it('are re-signed once when several programs upgrade at the same time', async () => {
      await installation.addKeys(500, Date.now() - 48 * hourMs);
      const outcomes = await Promise.all([migrate(), migrate(), migrate()]);
      for (const outcome of outcomes) done(outcome);
      assert.deepEqual(await boundNow(), [502, 502]);
    });

    it('stay unchanged, and the upgrade is refused, with a signing key that has signed none of them', async () => {
      const before = await installation.keys();
      const wrong = { ...installation.environment, SIGNING_KEY: newPem() };
      const reason = refused(await migrate([], wrong));
      assert.match(reason, /SIGNING_KEY has signed none of the 2 active API keys/);
      assert.deepEqual(await installation.keys(), before);
      assert.equal(await installation.schemaVersion(), versionBefore);
      done(await migrate());
      assert.deepEqual(await boundNow(), [2, 2]);
    });

    it('are trusted if their signing key is lost and the operator says so', async () => {
      const environment = { ...installation.environment, SIGNING_KEY: newPem() };
      done(await migrate(['--trust-database'], environment));
      const { address } = await serve(environment);
      assert.equal(await statusWith(address, installation.known.key), 200);
    });

    it('are valid for an hour if a replica of the older release has made them since, and are re-signed', async () => {
      const { address } = await serve();
      const [[met], [unmet], [outdated]] = [
        await installation.addKeys(1, Date.now()),
        await installation.addKeys(1, Date.now() - hourMs / 2),
        await installation.addKeys(1, Date.now() - hourMs - 1_000),
      ];
      assert.equal(await statusWith(address, met!.secret), 200);
      // One by its request, the other by the housekeeping that begins some seconds after the start.
      for (const { keyId } of [met!, unmet!]) await eventually(async () => isBound(await tokenOf(keyId)));
      for (const { secret } of [met!, unmet!]) assert.equal(await statusWith(address, secret), 200);
      assert.equal(await statusWith(address, outdated!.secret), 401);
      assert.equal(isBound(await tokenOf(outdated!.keyId)), false);
    });

    it('are re-signed after their hour if the operator trusts the database', async () => {
      done(await migrate());
      const [outdated] = await installation.addKeys(1, Date.now() - 2 * hourMs);
      const { address } = await serve();
      const reissue = (...more: string[]) =>
        embedgateJson(['signing-key', 'reissue', ...more], installation.environment);
      assert.deepEqual(await reissue(), { reissued: 0, already_current: 2, left_invalid: 1 });
      assert.equal(await statusWith(address, outdated!.secret), 401);
      assert.deepEqual(await reissue('--trust-database'), {
        reissued: 1,
        already_current: 2,
        left_invalid: 0,
      });
      assert.equal(await statusWith(address, outdated!.secret), 200);
    });

    it('bring the schema to the version of this program', async () => {
      done(await migrate());
      assert.equal(await installation.schemaVersion(), schemaVersion);
    });
  });
}

describe('the tokens of an older release on sqlite, with the signing key in the environment', () => {
  it('are re-signed with it', async () => {
    await using opened = new AsyncDisposableStack();
    const installation = await olderSqlite(opened);
    const dataDir = installation.dataDir!;
    writeFileSync(join(dataDir, 'signing-key.pem'), newPem());
    const environment = { SIGNING_KEY: signingKeyPem };
    const { address } = opened.use(await startService({ dataDir, environment }));
    assert.equal(await statusWith(address, installation.known.key), 200);
    assert.deepEqual(await bound(installation), [2, 2]);
  });
});
