import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { signInByProvider, startProviderLibrary, temporaryCore } from '../../helpers/provider-library.ts';

type Kind = Omit<Parameters<typeof startProviderLibrary>[0], 'claims'>;
const inToken = { configuration: { conformIdTokenClaims: false } };

/** How providers send what a person belongs to. */
const kinds: Readonly<Record<string, { claim: string; claimOf: (groups: string[]) => object; kind: Kind }>> =
  {
    'a list in userinfo': { claim: 'groups', claimOf: (groups) => ({ groups }), kind: {} },
    'a list in the ID token': { claim: 'groups', claimOf: (groups) => ({ groups }), kind: inToken },
    'roles below another claim': {
      claim: 'realm_access.roles',
      claimOf: (roles) => ({ realm_access: { roles } }),
      kind: inToken,
    },
    'a text': { claim: 'groups', claimOf: ([group]) => ({ groups: group }), kind: {} },
  };

const absent = '01a19671-c1c0-7453-bb19-492ba816cd71';

/** Writes a file of settings, and returns its path. */
function settingsFile(directory: string, sign_in: object): string {
  const file = join(directory, 'embedgate.json');
  writeFileSync(file, JSON.stringify({ sign_in }));
  return file;
}

describe('memberships by a claim of the provider', () => {
  const noUserinfo = { '/gone': 'which fails', '/jwks': 'which has no claims' };
  for (const [path, what] of Object.entries(noUserinfo)) {
    test(`a sign-in is refused, and the log says why, if the claim may be in userinfo, ${what}`, async () => {
      const claims = { email: 'ada@example.com', email_verified: true };
      const discovery = (document: Record<string, unknown>) => {
        document.userinfo_endpoint = `${document.issuer}${path}`;
      };
      await using provider = await startProviderLibrary({ claims, ...inToken, discovery });
      await using core = await temporaryCore();
      const memberships = [{ value: 'team', organization: absent, role: 'viewer' }];
      const file = settingsFile(core.config.dataDir, { claim: 'groups', memberships });
      using person = signInByProvider(core, provider, { EMBEDGATE_CONFIG: file, SIGN_UP: 'open' });
      assert.equal((await person.come()).location, '/login?error=unable_to_get_user_info');
      assert.match(person.logged.join(), /and no claims of the person\)/);
    });
  }

  for (const [name, { claim, claimOf, kind }] of Object.entries(kinds)) {
    test(`${name}: each sign-in adds, changes and removes what the claim gives, with passwords off`, async () => {
      const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
      await using provider = await startProviderLibrary({ claims, ...kind });
      await using core = await temporaryCore();
      const { orgId } = await core.organizations.create({ name: 'Acme' });
      const entries = { team: 'member', leads: 'admin' };
      const memberships = [
        ...Object.entries(entries).map(([value, role]) => ({ value, organization: orgId, role })),
        { value: 'ghosts', organization: absent, role: 'viewer' },
      ];
      const file = settingsFile(core.config.dataDir, { claim, scopes: ['groups'], memberships });
      using person = signInByProvider(core, provider, { EMBEDGATE_CONFIG: file, PASSWORD_SIGN_IN: 'off' });
      const comeWith = (...groups: string[]) => {
        Object.assign(claims, claimOf(groups));
        return person.come();
      };
      const roleWith = async (...groups: string[]) => {
        const { user } = await comeWith(...groups);
        return core.stores.members.role(orgId, user!.userId);
      };
      const stranger = await comeWith('others');
      assert.match(stranger.location ?? '', /^\/login\?error=no_mapped_value&/);
      const unmapped = `no value of the claim ${claim} is in the map: "others"`;
      assert.ok(person.logged.splice(0).join().includes(`no_mapped_value (${unmapped}); claims: sub, `));
      assert.equal(await roleWith('team'), 'member');
      assert.deepEqual(person.logged, []);
      assert.equal(await roleWith('others'), undefined);
      assert.ok(person.logged.splice(0).join().includes(`gives no membership: ${unmapped}\n`));
      if (name !== 'a text') {
        assert.equal(await roleWith(), undefined);
        assert.match(person.logged.splice(0).join(), /is in the map: it is empty\n$/);
      }
      assert.equal(await roleWith('leads', 'team'), 'admin');
      assert.equal(await roleWith('ghosts'), undefined);
      assert.ok(person.logged.join().includes(`names the organization ${absent}, which does not exist`));
    });
  }
});
