import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { verifyToken } from '../../src/keys/cwt.ts';
import { digestOf, generateSecret } from '../../src/keys/key-secret.ts';
import { fixedKeyring, parseSigningKeys } from '../../src/keys/keyring.ts';
import known from '../data/release-0.1/known.json' with { type: 'json' };
import { signToken } from '../data/release-0.2/cwt.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import type { Environment } from '../helpers/embedgate.ts';
import { openPostgres, runSql } from '../helpers/postgres.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../data/release-0.1/${name}`, import.meta.url), 'utf8');

export const signingKeyPem = read('signing-key.pem');
const [signingKey] = parseSigningKeys(signingKeyPem);
const keyring = fixedKeyring([signingKey!]);

type StoredKey = { key_id: string; token: Uint8Array; digest: string; status: string };
type OlderKey = { secret: string; keyId: string };

/** The data of an older release before the upgrade, which a test can read and write. */
export interface OlderInstallation {
  /** What a program on the data needs. */
  readonly environment: Environment;
  readonly dataDir: string | undefined;
  readonly known: (typeof known)['sqlite'];
  keys(): Promise<StoredKey[]>;
  schemaVersion(): Promise<number>;
  /** Adds keys as an older release created them, with tokens issued at this time. */
  addKeys(count: number, issuedAtMs: number): Promise<OlderKey[]>;
}

export async function olderSqlite(opened: AsyncDisposableStack): Promise<OlderInstallation> {
  const { path: dataDir } = opened.use(temporaryDirectory());
  const database = opened.adopt(new DatabaseSync(join(dataDir, 'embedgate.db'), { timeout: 5_000 }), (it) =>
    it.close(),
  );
  database.exec(read('sqlite.sql'));
  for (const name of ['signing-key.pem', 'auth-secret']) {
    writeFileSync(join(dataDir, name), read(name), { mode: 0o600 });
  }
  const insert = database.prepare(insertSql.replaceAll(/\$\d/g, '?'));
  return {
    environment: { DATA_DIR: dataDir },
    dataDir,
    known: known.sqlite,
    keys: async () => database.prepare(keysSql).all() as unknown as StoredKey[],
    schemaVersion: async () => Number(database.prepare('PRAGMA user_version').get()?.user_version),
    async addKeys(count, issuedAtMs) {
      const rows = olderKeys(known.sqlite.org_id, count, issuedAtMs);
      database.exec('BEGIN');
      for (const { values } of rows) insert.run(...values);
      database.exec('COMMIT');
      return rows;
    },
  };
}

export async function olderPostgres(opened: AsyncDisposableStack): Promise<OlderInstallation> {
  const url = await opened.use(await openPostgres()).createDatabase();
  await runSql(url, read('postgres.sql'));
  return {
    environment: { DATABASE_URL: url, SIGNING_KEY: signingKeyPem, AUTH_SECRET: read('auth-secret') },
    dataDir: undefined,
    known: known.postgres,
    // The decoder does not accept a Buffer.
    keys: async () =>
      ((await runSql(url, keysSql)) as StoredKey[]).map((key) => ({
        ...key,
        token: new Uint8Array(key.token),
      })),
    schemaVersion: async () =>
      Number((await runSql(url, 'SELECT max(version) FROM schema_versions'))[0]?.max),
    async addKeys(count, issuedAtMs) {
      const rows = olderKeys(known.postgres.org_id, count, issuedAtMs);
      const columns = Array.from({ length: 8 }, (_, i) => rows.map(({ values }) => values[i]));
      await runSql(url, insertManySql, columns);
      return rows;
    },
  };
}

const keysSql = 'SELECT key_id, token, digest, status FROM api_keys ORDER BY key_id';
const columns = 'key_id, org_id, digest, token, created_at, expires_at, user_id, hint';
const insertSql = `INSERT INTO api_keys (${columns}, name, status) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'older', 'active')`;
const insertManySql = `INSERT INTO api_keys (${columns}, name, status)
  SELECT *, 'older', 'active' FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::BYTEA[], $5::BIGINT[], $6::BIGINT[], $7::TEXT[], $8::TEXT[])`;

function olderKeys(orgId: string, count: number, issuedAtMs: number) {
  const expiresAt = (Math.floor(Date.now() / 1_000) + 86_400) * 1_000;
  return Array.from({ length: count }, () => {
    const secret = generateSecret();
    const keyId = `key_${secret.slice(3, 27)}`;
    const claims = {
      ...{ keyId, orgId, tier: 'free' },
      expiresAt: expiresAt / 1_000,
      issuedAt: Math.floor(issuedAtMs / 1_000),
    };
    const values = [
      ...[keyId, orgId, digestOf(secret), signToken(claims, signingKey!)],
      ...[issuedAtMs, expiresAt, 'ada', 'sk_…'],
    ];
    return { secret, keyId, values };
  });
}

/** Whether a token binds its key's digest. Throws when it is not a valid token at all. */
export function isBound({ key_id, token, digest }: StoredKey): boolean {
  const claims = verifyToken(token, keyring.find);
  assert.equal(claims?.keyId, key_id);
  assert.ok(claims.digest === null || claims.digest === digest);
  return claims.digest !== null;
}

/** The same without verification, for thousands of tokens. */
export const looksBound = ({ token }: StoredKey): boolean => Buffer.from(token).includes('secret_sha256');

/** How many tokens of active keys are bound, and how many there are. */
export async function bound({ keys }: OlderInstallation): Promise<[number, number]> {
  const active = (await keys()).filter(({ status }) => status === 'active');
  return [active.filter(isBound).length, active.length];
}
