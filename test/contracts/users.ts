import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { defaultSettings } from '../../src/alerts/alert.ts';
import { type AuditEntry, auditList } from '../../src/audit/entry.ts';
import { fixedKeyring, generateSigningKey } from '../../src/keys/keyring.ts';
import { Keys } from '../../src/keys/keys.ts';
import { newId } from '../../src/lib/ids.ts';
import { allRows } from '../../src/lib/page.ts';
import type { Role } from '../../src/organizations/access.ts';
import { type Organizations, organizationsWith } from '../../src/organizations/organizations.ts';
import { type Overview, overviewWith } from '../../src/organizations/overview.ts';
import { standardTiers } from '../../src/quota/tiers.ts';
import type { Stores } from '../../src/service/stores.ts';
import { Attempts } from '../../src/users/attempts.ts';
import { lazySignIn } from '../../src/users/lazy-sign-in.ts';
import { digestPassword } from '../../src/users/passwords.ts';
import type { SignIn } from '../../src/users/sign-in.ts';
import type { NewUserRecord } from '../../src/users/user.ts';
import { type Users, usersWith } from '../../src/users/users.ts';
import { TestClock } from '../helpers/clock.ts';
import { addUsage, channelRow, finishDeletions, usageOf } from '../helpers/stored.ts';
import { totpCode } from '../helpers/totp.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about people. */
export function accountsContract(name: string, open: OpenStores): void {
  describe(`accounts on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    let users: Users;
    let userChanges: Stores['userChanges'];
    let members: Stores['members'];
    let overview: Overview;
    let invitations: Stores['invitations'];
    let organizations: Organizations;
    let keys: Keys;

    before(async () => {
      stores = await open(clock);
      users = usersWith(stores.users, clock);
      ({ userChanges, members } = stores);
      overview = overviewWith(stores.overview, standardTiers, clock);
      invitations = stores.invitations;
      keys = new Keys(stores.keys, fixedKeyring([generateSigningKey()]), clock);
      organizations = organizationsWith(stores.organizations, keys, clock);
    });
    after(() => stores.close());

    let made = 0;
    /** A user who never signs in, because a password takes long to hash. */
    const rowOf = (given: Partial<NewUserRecord> = {}): NewUserRecord => ({
      userId: newId(),
      email: `user${made++}@example.com`,
      emailVerified: false,
      name: 'User',
      isAdmin: false,
      passwordDigest: 'none',
      createdAt: clock.now(),
      ...given,
    });
    const newUser = async (given: Partial<NewUserRecord> = {}) => {
      const row = rowOf(given);
      await stores.users.insert(row);
      return users.get(row.userId);
    };
    const organization = async () => (await organizations.create({ name: 'Acme', tier: 'free' })).orgId;
    test('a user is counted as a member of each of their organizations', async () => {
      const user = await newUser();
      assert.equal(user.organizationCount, 0);
      for (const role of ['viewer', 'admin'] as const)
        await members.add(await organization(), user.userId, role);
      assert.equal((await users.get(user.userId)).organizationCount, 2);
      const listed = (await allRows((page) => users.list(page))).find(({ userId }) => userId === user.userId);
      assert.equal(listed?.organizationCount, 2);
    });

    test('a key has the name of its user as long as the user exists', async () => {
      const orgId = await organization();
      const { userId } = await newUser();
      await users.rename(userId, 'Ada');
      await keys.create({ orgId, userId, name: 'of a user' });
      clock.advance(1_000);
      await keys.create({ orgId, userId: 'nobody', name: 'of nobody' });
      const names = (await allRows((page) => keys.list(orgId, page))).map(({ name, userName }) => [
        name,
        userName,
      ]);
      assert.deepEqual(names, [
        ['of nobody', null],
        ['of a user', 'Ada'],
      ]);
      clock.set('2026-11-21T03:00:00Z');
    });

    const settings = () => ({
      database: () => stores.authDatabase(),
      secret: 'a secret of 32 bytes or more, 0123456789',
      publicUrl: 'https://embed.example.com',
      isSignUpOpen: false,
      sessionDays: null,
      github: null,
      google: null,
      oidc: null,
      isInvited: async () => false,
      claimState: async () => true,
      isClockTrusted: async () => true,
      makeWayForProvider: async () => false,
      setMapped: async () => {},
      isDisabled: async (userId: string) => (await users.get(userId)).isDisabled,
      log: () => {},
    });
    const signIn = (): SignIn => lazySignIn(settings());

    test('a user is read as created, and an address belongs to one user only, however it is written', async () => {
      const { user, password } = await users.create({
        email: ' Ada@Example.com ',
        name: 'Ada',
        isAdmin: true,
      });
      assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
      assert.deepEqual([user.email, user.name, user.isAdmin], ['ada@example.com', 'Ada', true]);
      assert.deepEqual(await users.find('ADA@example.com'), user);
      assert.deepEqual(await users.get(user.userId), user);
      assert.ok((await allRows((page) => users.list(page))).some(({ userId }) => userId === user.userId));
      await assert.rejects(users.create({ email: 'ada@example.com' }), { code: 'invalid_request' });
      for (const email of ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@localhost', 'a@b.c']) {
        await assert.rejects(users.create({ email }), { code: 'invalid_request' }, email);
      }
      const long = await users.create({ email: `${'a'.repeat(230)}@example.com` });
      assert.equal(long.user.name, 'a'.repeat(200));
      await assert.rejects(users.create({ email: 'x@example.com', password: 'short' }), {
        code: 'invalid_request',
      });
      await users.rename(user.userId, 'Ada L.');
      assert.equal((await users.get(user.userId)).name, 'Ada L.');
    });

    test('a user who is deleted while they sign in is refused like one who does not exist', async () => {
      const { user, password } = await users.create({ email: 'leaves@example.com' });
      const isDisabled = async (userId: string) => {
        await userChanges.delete(userId, { revokesKeys: false });
        return false;
      };
      const reported: string[] = [];
      const library = lazySignIn({ ...settings(), isDisabled, log: (_, message) => reported.push(message) });
      const answer = await library.ask({
        method: 'POST',
        path: '/sign-in/email',
        cookie: undefined,
        userAgent: 'test',
        address: '192.0.2.1',
        origin: settings().publicUrl,
        body: { email: user.email, password },
      });
      assert.deepEqual([answer.status, answer.body], [401, { code: 'USER_NOT_FOUND' }]);
      assert.deepEqual(reported, []);
    });

    test('an organization whose owner is deleted meanwhile is not created', async () => {
      const before = await allRows((page) => organizations.list(page));
      await assert.rejects(organizations.create({ name: 'Nobody’s' }, newId()), { code: 'not_signed_in' });
      assert.deepEqual(await allRows((page) => organizations.list(page)), before);
    });

    test('credentials get a new version with each password and second factor, but not with each sign-in', async () => {
      const library = signIn();
      const email = 'version@example.com';
      const { user, password } = await users.create({ email });
      let cookie = '';
      const ask = async (path: string, body: unknown) => {
        const origin = 'https://embed.example.com';
        const request = { cookie, userAgent: 'test', address: '192.0.2.1', origin, body };
        const answer = await library.ask({ method: 'POST', path, ...request });
        assert.equal(answer.status, 200, path);
        cookie = answer.setCookies.map((line) => line.slice(0, line.indexOf(';'))).join('; ') || cookie;
        return answer.body;
      };
      const versions: (string | undefined)[] = [];
      const note = async () => {
        const found = await users.credentials(user.userId);
        assert.deepEqual(await users.credentialsByEmail('VERSION@example.com'), found);
        assert.equal(found?.userId, user.userId);
        versions.push(found?.version);
      };
      await note();
      for (let i = 0; i < 2; i += 1) await ask('/sign-in/email', { email, password });
      await note();
      assert.equal(versions[0], versions[1]);

      const changed = {
        currentPassword: password,
        newPassword: 'another password',
        revokeOtherSessions: true,
      };
      await ask('/change-password', changed);
      await note();
      const { totpURI } = (await ask('/two-factor/enable', { password: changed.newPassword })) as {
        totpURI: string;
      };
      await note();
      assert.equal(versions[2], versions[3], 'a second factor that is not confirmed yet');
      await ask('/two-factor/verify-totp', { code: totpCode(totpURI, Date.now()) });
      await note();
      await users.resetPassword(email, { removeTotp: false });
      await note();
      const { data } = await stores.audit.page({ action: 'user.set-password' }, auditList.request({}));
      const [{ after }] = data as [AuditEntry];
      assert.deepEqual(
        after,
        { is_reset: true, two_factor_enabled: false },
        'the address was never verified',
      );
      assert.equal(new Set(versions).size, 4);
      assert.equal(await users.credentialsByEmail('nobody@example.com'), undefined);
    });

    test('the library signs in with the initial password until another replaces it', async () => {
      const library = signIn();
      const { user, password } = await users.create({ email: 'grace@example.com' });
      const attempt = (secret: string) =>
        library.ask({
          method: 'POST',
          path: '/sign-in/email',
          cookie: undefined,
          userAgent: 'test',
          address: '192.0.2.1',
          origin: 'https://embed.example.com',
          body: { email: 'Grace@example.com', password: secret },
        });
      const answer = await attempt(password);
      assert.equal(answer.status, 200);
      const [session = ''] = answer.setCookies;
      assert.match(session, /^__Secure-embedgate\.session_token=.*; HttpOnly; Secure; SameSite=Lax/);
      const cookie = session.slice(0, session.indexOf(';'));
      const found = await library.session(cookie);
      assert.equal(found?.user.userId, user.userId);
      assert.equal(found?.user.isAdmin, false);
      assert.equal(await library.session(`${cookie.slice(0, -3)}AAA`), undefined);

      const reset = await users.resetPassword('grace@example.com', { removeTotp: false });
      assert.equal(await library.session(cookie), undefined);
      assert.equal((await attempt(password)).status, 401);
      assert.equal((await attempt(reset.password)).status, 200);

      const resets = stores.passwordResets;
      const chosenDigest = await digestPassword('chosen by Grace');
      const [{ token }, other] = [
        await resets.create(user.userId, { mailed: false }),
        await resets.create(user.userId, { mailed: true }),
      ];
      const chosen = await Promise.allSettled([1, 2, 3].map(() => resets.use(token, chosenDigest)));
      assert.equal(chosen.filter(({ status }) => status === 'fulfilled').length, 1);
      await assert.rejects(resets.use(other.token, chosenDigest), { code: 'invalid_request' });
      const late = await resets.create(user.userId, { mailed: false });
      clock.advance(3_600_000);
      await assert.rejects(resets.use(late.token, chosenDigest), { code: 'invalid_request' });
      clock.set('2026-11-21T03:00:00Z');
      assert.equal((await attempt('chosen by Grace')).status, 200);
    });

    test('members belong to their organization, which keeps an owner even when two step down at once', async () => {
      const [orgId, other] = [await organization(), await organization()];
      const [a, b, c] = [await newUser(), await newUser(), await newUser()];
      assert.equal(await members.add(orgId, a.userId, 'owner'), true);
      assert.equal(await members.add(orgId, a.userId, 'viewer'), false);
      await members.add(orgId, b.userId, 'owner');
      await members.add(other, c.userId, 'viewer');
      assert.equal(await members.role(orgId, a.userId), 'owner');
      assert.equal(await members.role(orgId, c.userId), undefined);
      const [first] = (await allRows((page) => members.list(orgId, page))).filter(
        ({ userId }) => userId === a.userId,
      );
      assert.deepEqual(await members.get(orgId, a.userId), first);
      await assert.rejects(members.get(orgId, c.userId), { code: 'not_found', message: 'No such member' });
      assert.deepEqual(
        (await allRows((page) => members.list(orgId, page))).map(({ email, role }) => [email, role]).sort(),
        [
          [a.email, 'owner'],
          [b.email, 'owner'],
        ],
      );
      assert.deepEqual(
        (await overview.page({ userId: c.userId }, {})).data.map((row) => row.orgId),
        [other],
      );
      const down = await Promise.allSettled([
        members.setRole(await members.get(orgId, a.userId), 'viewer'),
        members.remove(await members.get(orgId, b.userId)),
      ]);
      assert.equal(down.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(
        (await allRows((page) => members.list(orgId, page))).filter(({ role }) => role === 'owner').length,
        1,
      );
      const stranger = { orgId, userId: c.userId, role: 'viewer', createdAt: 0 } as const;
      await assert.rejects(members.setRole(stranger, 'admin'), { code: 'not_found' });
      await assert.rejects(members.remove({ ...stranger, orgId: other, userId: a.userId }), {
        code: 'not_found',
      });
    });

    test('a member whose role has changed since it was read is neither changed nor removed', async () => {
      const orgId = await organization();
      const [owner, other] = [await newUser(), await newUser()];
      await members.add(orgId, owner.userId, 'owner');
      await members.add(orgId, other.userId, 'member');
      const before = await members.get(orgId, other.userId);
      await members.setRole(before, 'owner');
      const refusal = { code: 'invalid_request', message: /has just changed/ };
      await assert.rejects(members.remove(before), refusal);
      await assert.rejects(members.setRole(before, 'viewer'), refusal);
      assert.equal(await members.role(orgId, other.userId), 'owner');
    });

    test('memberships from a provider follow it, and those that people have made or changed stay', async () => {
      const user = await newUser();
      const [added, raised] = [await organization(), await organization()];
      const [byHand, taken] = [await organization(), await organization()];
      const { userId } = user;
      const rolesOf = () => Promise.all([added, raised, byHand, taken].map((id) => members.role(id, userId)));
      await members.add(byHand, userId, 'admin');
      const none = { missing: [], ownerless: [] };
      const first = { [raised]: 'viewer', [byHand]: 'viewer', [taken]: 'viewer' } as const;
      assert.deepEqual(await members.setMapped(userId, new Map(Object.entries(first))), none);
      assert.deepEqual(await rolesOf(), [undefined, 'viewer', 'admin', 'viewer']);
      assert.equal((await members.get(byHand, userId)).fromProvider, false);
      assert.equal((await members.get(taken, userId)).fromProvider, true);
      await members.setRole(await members.get(taken, userId), 'viewer');
      assert.equal((await members.get(taken, userId)).fromProvider, true, 'no change has no entry');
      await members.setRole(await members.get(taken, userId), 'member');
      assert.equal((await members.get(taken, userId)).fromProvider, false);

      const absent = newId();
      const next = new Map([
        [added, 'member'],
        [raised, 'admin'],
        [absent, 'owner'],
      ] as const);
      const both = await Promise.all([members.setMapped(userId, next), members.setMapped(userId, next)]);
      for (const outcome of both) assert.deepEqual(outcome, { missing: [absent], ownerless: [] });
      assert.deepEqual(await rolesOf(), ['member', 'admin', 'admin', 'member']);
      const email = 'guest-of-mapped@example.com';
      const offer = { orgId: raised, email, invitedBy: userId, mailed: false };
      const { token } = await invitations.create({ ...offer, role: 'admin' });
      await members.setMapped(userId, new Map());
      assert.deepEqual(await rolesOf(), [undefined, undefined, 'admin', 'member']);
      await assert.rejects(invitations.find(token), { code: 'not_found' });
      const { data } = await stores.audit.page({ orgId: raised, targetId: userId }, auditList.request({}));
      assert.deepEqual(
        data.map(({ action, before, after }) => [action, before?.role, after?.role]).toSorted(),
        [
          ['member.change', 'viewer', 'admin'],
          ['member.create', undefined, 'viewer'],
          ['member.delete', 'admin', undefined],
        ],
      );
    });

    test('keys are revoked where a provider ends a membership, if the map says so', async () => {
      const { userId } = await newUser();
      const [lost, kept] = [await organization(), await organization()];
      for (const orgId of [lost, kept]) await keys.create({ orgId, userId, name: 'theirs' });
      const statuses = async () =>
        (await Promise.all([lost, kept].map((orgId) => allRows((page) => keys.list(orgId, page)))))
          .flat()
          .map(({ status }) => status);
      const all = new Map([lost, kept].map((orgId) => [orgId, 'member'] as const));
      await members.setMapped(userId, all, true);
      await members.setMapped(userId, new Map([[kept, 'viewer']]), true);
      assert.deepEqual(await statuses(), ['revoked', 'active']);
      await members.setMapped(userId, new Map());
      assert.deepEqual(await statuses(), ['revoked', 'active']);
    });

    test('a provider can remove the last owner that it has made, and the organization is named', async () => {
      const [user, other] = [await newUser(), await newUser()];
      const orgId = await organization();
      const owner = new Map([[orgId, 'owner']] as const);
      await members.setMapped(user.userId, owner);
      await members.add(orgId, other.userId, 'owner');
      assert.deepEqual((await members.setMapped(user.userId, new Map())).ownerless, []);
      await members.setMapped(user.userId, owner);
      await userChanges.change(other.userId, { isDisabled: true });
      const { ownerless } = await members.setMapped(user.userId, new Map([[orgId, 'viewer']]));
      assert.deepEqual([ownerless, await members.role(orgId, user.userId)], [[orgId], 'viewer']);
    });

    test('an invitation works for one person, once, for 7 days, and replaces an earlier one', async () => {
      const orgId = await organization();
      const [user, owner] = [await newUser(), await newUser()];
      await members.add(orgId, owner.userId, 'owner');
      const invite = (role: 'member' | 'admin') =>
        invitations.create({ orgId, email: user.email, role, invitedBy: owner.userId, mailed: true });
      const earlier = await invite('member');
      const { invitation, token } = await invite('admin');
      await assert.rejects(invitations.find(earlier.token), { code: 'not_found' });
      assert.deepEqual(await invitations.find(token), invitation);
      assert.deepEqual(await allRows((page) => invitations.list(orgId, page)), [invitation]);
      assert.equal(await invitations.isExpected(user.email.toUpperCase()), true);
      const accepted = await Promise.allSettled(
        Array.from({ length: 3 }, () => invitations.accept(invitation, user)),
      );
      assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await members.role(orgId, user.userId), 'admin');
      assert.equal(await invitations.isExpected(user.email), false);

      const late = await invite('member');
      clock.advance(7 * 86_400_000);
      await assert.rejects(invitations.find(late.token), { code: 'not_found' });
      clock.set('2026-11-21T03:00:00Z');
      await invitations.delete(orgId, late.invitation.invitationId);
      await assert.rejects(invitations.delete(orgId, late.invitation.invitationId), { code: 'not_found' });
    });

    test('an invitation is accepted only while its sender may give the role, and otherwise creates no account', async () => {
      const orgId = await organization();
      const [owner, admin, other] = [await newUser(), await newUser(), await newUser()];
      await members.add(orgId, owner.userId, 'owner');
      await members.add(orgId, admin.userId, 'admin');
      const accepted = async (role: Role, invitedBy: string): Promise<boolean> => {
        const email = `guest${made++}@example.com`;
        const { invitation } = await invitations.create({ orgId, email, role, invitedBy, mailed: true });
        const row = rowOf({ email });
        const outcome = await invitations.accept(invitation, { newUser: row }).catch((reason) => reason);
        const user = await users.find(email);
        assert.equal(user !== undefined, outcome === undefined);
        assert.equal(
          user && (await members.role(orgId, user.userId)),
          outcome === undefined ? role : undefined,
        );
        return outcome === undefined;
      };
      assert.equal(await accepted('owner', owner.userId), true);
      assert.equal(await accepted('owner', admin.userId), false);
      assert.equal(await accepted('admin', admin.userId), true);
      assert.equal(await accepted('viewer', other.userId), false);
      assert.equal(await accepted('viewer', newId()), false);
      const administrator = await newUser({ isAdmin: true });
      assert.equal(await accepted('owner', administrator.userId), true);

      const sent = async () =>
        (await allRows((page) => invitations.list(orgId, page))).map(({ role }) => role).sort();
      for (const [i, role] of (['owner', 'admin', 'viewer'] as const).entries()) {
        const email = `sent${i}@example.com`;
        await invitations.create({ orgId, email, role, invitedBy: owner.userId, mailed: true });
      }
      await members.setRole(await members.get(orgId, owner.userId), 'admin');
      assert.deepEqual(await sent(), ['admin', 'viewer']);
      await members.setRole(await members.get(orgId, owner.userId), 'member');
      assert.deepEqual(await sent(), []);
    });

    test('of administrators and owners who leave at the same time, the last one stays', async () => {
      for (const { isAdmin, userId } of await allRows((page) => users.list(page))) {
        if (isAdmin) await userChanges.change(userId, { isAdmin: false }).catch(() => {});
      }
      const administrators = (await allRows((page) => users.list(page))).filter(({ isAdmin }) => isAdmin);
      assert.equal(administrators.length, 1);
      const [second, third] = [await newUser({ isAdmin: true }), await newUser({ isAdmin: true })];
      const gone = await Promise.allSettled([
        userChanges.change(administrators[0]!.userId, { isAdmin: false }),
        userChanges.change(second.userId, { isDisabled: true }),
        userChanges.delete(third.userId),
      ]);
      assert.equal(gone.filter(({ status }) => status === 'fulfilled').length, 2);
      const left = (await allRows((page) => users.list(page))).filter(
        ({ isAdmin, isDisabled }) => isAdmin && !isDisabled,
      );
      assert.equal(left.length, 1);

      for (let round = 0; round < 5; round += 1) {
        const orgId = await organization();
        const [a, b] = [await newUser(), await newUser()];
        for (const { userId } of [a, b]) await members.add(orgId, userId, 'owner');
        const [deleted, leaving] = await Promise.allSettled([
          userChanges.delete(a.userId),
          members.remove(await members.get(orgId, b.userId)),
        ]);
        assert.notEqual(deleted.status, leaving.status);
        assert.equal((await allRows((page) => members.list(orgId, page))).length, 1);
      }
    });

    test('keys of a user are revoked with their successors, and those of others stay', async () => {
      const [user, other] = [await newUser(), await newUser()];
      const orgs = [await organization(), await organization()];
      for (const orgId of orgs) {
        const { key } = await keys.create({ orgId, userId: user.userId, name: 'theirs' });
        await keys.rotate(key.keyId, 60_000, 'itself');
        await keys.create({ orgId, userId: other.userId, name: 'another' });
      }
      await userChanges.delete(user.userId, { revokesKeys: true });
      for (const orgId of orgs) {
        const list = await allRows((page) => keys.list(orgId, page));
        assert.deepEqual(list.map(({ name, status }) => `${name} ${status}`).sort(), [
          'another active',
          'theirs revoked',
          'theirs revoked',
        ]);
      }
    });

    test('expired invitations are deleted, and no others', async () => {
      const orgId = await organization();
      const owner = await newUser();
      await members.add(orgId, owner.userId, 'owner');
      const invite = async (email: string) => {
        const input = { orgId, email, role: 'member' as const, invitedBy: owner.userId, mailed: true };
        return (await invitations.create(input)).invitation;
      };
      const expired = await invite('expired@example.com');
      clock.advance(1_000);
      const valid = await invite('valid@example.com');
      await stores.invitations.pruneExpired(valid.expiresAt);
      assert.deepEqual(await allRows((page) => invitations.list(orgId, page)), [valid]);
      assert.ok(expired.expiresAt < valid.expiresAt);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('expired sessions and links are deleted, and no others', async () => {
      const { userId } = await newUser();
      const db = (await stores.authDatabase()).db as Kysely<Record<string, Record<string, unknown>>>;
      const at = (afterMs: number) => new Date(clock.now() + afterMs).toISOString();
      const [expired, valid] = [newId(), newId()];
      for (const [id, expiresAt] of [
        [expired, at(0)],
        [valid, at(1)],
      ] as const) {
        const row = { id, expires_at: expiresAt, created_at: at(-1), updated_at: at(-1) };
        const session = { ...row, user_id: userId, token: id, ip_address: null, user_agent: null };
        await db.insertInto('sessions').values(session).execute();
        await db
          .insertInto('verifications')
          .values({ ...row, identifier: id, value: userId })
          .execute();
      }
      await stores.sessions.pruneExpired();
      for (const table of ['sessions', 'verifications'] as const) {
        const left = await db.selectFrom(table).select('id').where('id', 'in', [expired, valid]).execute();
        assert.deepEqual(left, [{ id: valid }]);
      }
    });

    test('attempts are bounded together for everything they count for, and are allowed again in the next window', async () => {
      const [here, there] = [new Attempts(stores.attempts, clock), new Attempts(stores.attempts, clock)];
      const tries = await Promise.allSettled(
        Array.from({ length: 24 }, (_, i) =>
          (i % 2 ? here : there).admit('192.0.2.1', ' Victim@example.com'),
        ),
      );
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 10);
      await here.admit('192.0.2.2', 'victim@example.com');
      await assert.rejects(there.admit('192.0.2.1', 'victim@example.com'), {
        code: 'rate_limit_exceeded',
        retryAfterSeconds: 600,
      });
      clock.advance(600_000);
      await there.admit('192.0.2.1', 'victim@example.com');
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a correct attempt does not count towards guesses, but towards the wider bounds', async () => {
      clock.advance(600_000);
      const attempts = new Attempts(stores.attempts, clock);
      const correctly = async (device?: string) => {
        const forgive = await attempts.admit('192.0.2.9', 'often@example.com', device);
        await forgive();
      };
      for (let i = 0; i < 9; i++) await attempts.admit('192.0.2.9', 'often@example.com');
      for (let i = 0; i < 20; i++) await correctly();
      await attempts.admit('192.0.2.9', 'often@example.com');
      await assert.rejects(correctly(), { code: 'rate_limit_exceeded' });
      for (let i = 0; i < 50; i++) await correctly('a device');
      await assert.rejects(correctly('a device'), { code: 'rate_limit_exceeded' });
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a write during the deletion of an organization reports that it does not exist', async () => {
      const orgId = newId();
      await assert.rejects(stores.channels.add(channelRow({ orgId })), { code: 'not_found' });
      await assert.rejects(stores.alerts.setSettings(orgId, defaultSettings), { code: 'not_found' });
      const invitation = {
        orgId,
        email: 'a@example.com',
        role: 'member',
        invitedBy: 'x',
        mailed: true,
      } as const;
      await assert.rejects(invitations.create(invitation), { code: 'not_found' });
    });

    test('an organization can be renamed, and is deleted with everything it has', async () => {
      const orgId = await organization();
      const user = await newUser();
      await members.add(orgId, user.userId, 'owner');
      await invitations.create({
        orgId,
        email: 'i@example.com',
        role: 'viewer',
        invitedBy: 'x',
        mailed: false,
      });
      const { key } = await keys.create({ orgId, userId: user.userId, name: 'a key' });
      await addUsage(stores.usage, [usageOf({ orgId, keyId: key.keyId, day: 1, cached: 1 })]);
      await organizations.change(orgId, { name: 'Renamed' });
      assert.equal((await organizations.get(orgId)).name, 'Renamed');
      await organizations.delete(orgId);
      await assert.rejects(organizations.get(orgId), { code: 'not_found' });
      await assert.rejects(organizations.delete(orgId), { code: 'not_found' });
      await assert.rejects(organizations.change(orgId, { name: 'x' }), { code: 'not_found' });
      assert.deepEqual(await allRows((page) => keys.list(orgId, page)), []);
      await finishDeletions(stores);
      assert.deepEqual(await stores.usage.rows(orgId, 0, 10), []);
      assert.equal((await overview.page({ userId: user.userId }, {})).total, 0);
    });
  });
}
