import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type ProviderLibrary, startProviderLibrary } from '../../helpers/provider-library.ts';
import { startService } from '../../helpers/service.ts';

type Kind = Omit<Parameters<typeof startProviderLibrary>[1], 'claims'>;
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

async function signIn(address: string, provider: ProviderLibrary) {
  const page = new Browser(address);
  const asked = { provider: 'oidc' };
  const { url } = await page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', asked);
  const answer = await page.send('GET', `/auth/callback/oidc?${await provider.consent(url)}`);
  return { page, location: answer.headers.get('location') };
}

describe('memberships by a claim of the provider', () => {
  const noUserinfo = { '/gone': 'which fails', '/jwks': 'which has no claims' };
  for (const [path, what] of Object.entries(noUserinfo)) {
    test(`a sign-in is refused, and the log says why, if the claim may be in userinfo, ${what}`, async () => {
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port}`;
      const claims = { email: 'ada@example.com', email_verified: true };
      const discovery = (document: Record<string, unknown>) => {
        document.userinfo_endpoint = `${document.issuer}${path}`;
      };
      await using provider = await startProviderLibrary(publicUrl, { claims, ...inToken, discovery });
      using directory = temporaryDirectory();
      const file = join(directory.path, 'embedgate.json');
      const memberships = [{ value: 'team', organization: absent, role: 'viewer' }];
      writeFileSync(file, JSON.stringify({ sign_in: { claim: 'groups', memberships } }));
      const own = { PORT: String(port), PUBLIC_URL: publicUrl, EMBEDGATE_CONFIG: file, SIGN_UP: 'open' };
      await using service = await startService({ environment: { ...own, ...provider.environment } });
      const { location } = await signIn(service.address, provider);
      assert.equal(location, '/login?error=unable_to_get_user_info');
      await eventually(() => service.stderr().includes('and no claims of the person)'));
    });
  }

  for (const [name, { claim, claimOf, kind }] of Object.entries(kinds)) {
    test(`${name}: each sign-in adds, changes and removes what the claim gives, with passwords off`, async () => {
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port}`;
      const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
      await using provider = await startProviderLibrary(publicUrl, { claims, ...kind });
      using directory = temporaryDirectory();
      const own = {
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        PASSWORD_SIGN_IN: 'off',
        ...provider.environment,
      };
      const orgId = await (async () => {
        await using first = await startService({ dataDir: directory.path, environment: own });
        return first.orgId;
      })();
      const file = join(directory.path, 'embedgate.json');
      const entries = { team: 'member', leads: 'admin' };
      const memberships = [
        ...Object.entries(entries).map(([value, role]) => ({ value, organization: orgId, role })),
        { value: 'ghosts', organization: absent, role: 'viewer' },
      ];
      writeFileSync(file, JSON.stringify({ sign_in: { claim, scopes: ['groups'], memberships } }));
      const environment = { ...own, EMBEDGATE_CONFIG: file };
      await using service = await startService({ dataDir: directory.path, environment });

      const signInWith = (...groups: string[]) => {
        Object.assign(claims, claimOf(groups));
        return signIn(service.address, provider);
      };
      const roleIn = async (page: Browser): Promise<string | undefined> => {
        const { data } = await page.ask<{ data: { org_id: string; role: string }[] }>(
          200,
          'GET',
          '/v1/organizations',
        );
        return data.find(({ org_id }) => org_id === orgId)?.role;
      };
      const stranger = await signInWith('others');
      assert.equal(stranger.location, '/login?error=SIGN_UP_CLOSED&error_description=Sign-up+is+closed');
      await eventually(() => service.stderr().includes('SIGN_UP_CLOSED (Sign-up is closed); claims: sub, '));
      assert.equal(await roleIn((await signInWith('team')).page), 'member');
      assert.equal(await roleIn((await signInWith('leads', 'team')).page), 'admin');
      assert.equal(await roleIn((await signInWith('ghosts')).page), undefined);
      await eventually(() =>
        service.stderr().includes(`names the organization ${absent}, which does not exist`),
      );
    });
  }
});
