import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Authenticator, type KeyWithTier } from '../../../src/keys/authenticate.ts';
import { fixedKeyring, generateSigningKey } from '../../../src/keys/keyring.ts';
import { type KeyRecord, type KeyStore, Keys } from '../../../src/keys/keys.ts';
import { systemClock } from '../../../src/lib/clock.ts';

/** A key that is read before a change, where the result arrives after the change. */
describe('a read that a change has overtaken', () => {
  const keyring = fixedKeyring([generateSigningKey()]);

  it('is not remembered: a revoked key is refused, a created one accepted', async () => {
    const { active, secret } = await createdKey();
    const revoked: KeyWithTier = { ...active, status: 'revoked' };
    assert.deepEqual(await outcomes(secret, { before: active, after: revoked }), ['fulfilled', 'rejected']);
    assert.deepEqual(await outcomes(secret, { before: undefined, after: active }), ['rejected', 'fulfilled']);
  });

  /** Returns the outcomes of a request whose read is in progress while the row changes, and of the next request. */
  async function outcomes(
    secret: string,
    row: { before: KeyWithTier | undefined; after: KeyWithTier },
  ): Promise<string[]> {
    const arrives = Promise.withResolvers<void>();
    let reads = 0;
    let tell = (_orgId: string | undefined) => {};
    const authenticator = new Authenticator({
      keys: {
        async findByDigest() {
          reads += 1;
          if (reads > 1) return row.after;
          await arrives.promise;
          return row.before;
        },
      },
      keyring,
      watch: {
        current: () => true,
        onChange: (listener) => {
          tell = listener;
        },
      },
      clock: systemClock,
    });
    const authenticate = async () => authenticator.authenticate(`Bearer ${secret}`);
    const early = authenticate();
    tell(row.after.orgId);
    arrives.resolve();
    const [first] = await Promise.allSettled([early]);
    const [next] = await Promise.allSettled([authenticate()]);
    return [first.status, next.status];
  }

  async function createdKey(): Promise<{ active: KeyWithTier; secret: string }> {
    let added: KeyRecord | undefined;
    const store: Pick<KeyStore, 'organization' | 'change' | 'count'> = {
      count: async () => 0,
      organization: async (orgId) => ({ orgId, tier: 'free', revision: 1 }),
      change: async (_orgId, _revision, { add }) => {
        added = add;
        return true;
      },
    };
    const keys = new Keys(store as KeyStore, keyring, systemClock);
    const { secret } = await keys.create({ orgId: 'org_1', userId: 'ada', name: 'laptop' });
    assert.ok(added);
    return { active: { ...added, tier: 'free' }, secret };
  }
});
