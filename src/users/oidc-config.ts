import { validateAuthorizationCode } from 'better-auth/oauth2';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { isEmail } from '../lib/email.ts';
import { claimOf, membershipsOf } from './claim-map.ts';
import { discoveryUrl } from './oidc-sign-in.ts';
import { noteClaims, noteMemberships, noteStep } from './refused-sign-ins.ts';
import type { SignInSettings } from './sign-in.ts';

export type OidcSettings = NonNullable<SignInSettings['oidc']>;
type Tokens = Awaited<ReturnType<typeof validateAuthorizationCode>>;

const userinfoDeadlineMs = 4_000;

/** Ways to send the client's secret, by their names in a discovery document. The standard's default comes first. */
const ways = { client_secret_basic: 'basic', client_secret_post: 'post' } as const;

/** Returns the provider's configuration for the library. `discovery` is the provider's discovery document. */
export function oidcConfig(settings: OidcSettings, discovery: JsonObject): GenericOAuthConfig {
  const { issuer, clientId, clientSecret, name, trustsEmail, claimMap } = settings;
  return {
    providerId: 'oidc',
    name,
    clientId,
    clientSecret,
    discoveryUrl: discoveryUrl(issuer),
    scopes: ['openid', 'email', 'profile', ...(claimMap?.scopes ?? [])],
    getToken: (data) => tokensFor(settings, discovery, data),
    async getUserInfo(tokens) {
      const claims = await claimsOf(tokens, discovery.userinfo_endpoint, settings);
      noteClaims(claims);
      if (claimMap) noteMemberships(membershipsOf(claimMap, claims));
      const { sub } = claims;
      return typeof sub === 'string' ? { ...claims, id: sub, emailVerified: false } : null;
    },
    mapProfileToUser({ email, email_verified, preferred_username }: JsonObject) {
      // Amazon Cognito sends a text. Providers can send anything in a claim, so nothing else counts.
      const emailVerified = trustsEmail || email_verified === true || email_verified === 'true';
      const other = trustsEmail && isEmail(String(preferred_username)) ? preferred_username : null;
      const address = email || other;
      return { emailVerified, email: typeof address === 'string' ? address : null };
    },
  };
}

/**
 * Requests the tokens in the first way that discovery lists. Providers list what they support for all clients, so a
 * client that is registered for the other way gets a second request.
 */
async function tokensFor(
  { clientId, clientSecret }: OidcSettings,
  { token_endpoint, token_endpoint_auth_methods_supported: listed }: JsonObject,
  data: { code: string; redirectURI: string; codeVerifier?: string | undefined },
): Promise<Tokens> {
  const usable = Object.entries(ways).filter(([way]) => Array.isArray(listed) && listed.includes(way));
  const [first, second] = usable.length > 0 ? usable.map(([, way]) => way) : Object.values(ways);
  const ask = (authentication: 'basic' | 'post') => {
    const options = { clientId, clientSecret };
    const tokenEndpoint = String(token_endpoint);
    return validateAuthorizationCode({ ...data, options, tokenEndpoint, authentication });
  };
  return ask(first!).catch((reason) => {
    const { status, error } = fieldsOf(reason);
    if (second === undefined || error === 'invalid_grant' || (status !== 400 && status !== 401)) throw reason;
    return ask(second);
  });
}

/** Returns the claims of the ID token, which the library has verified, and the ones that only userinfo has. */
async function claimsOf(
  { idToken, accessToken }: Tokens,
  userinfo: unknown,
  { trustsEmail, claimMap }: OidcSettings,
): Promise<JsonObject> {
  const [, payload] = idToken?.split('.') ?? [];
  const stated = fieldsOf(payload && JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const claims = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== null));
  const hasEmail = claims.email !== undefined && (trustsEmail || claims.email_verified !== undefined);
  const needsMapped = claimMap !== null && claimOf(claims, claimMap.claim) === undefined;
  if ((hasEmail && !needsMapped) || typeof userinfo !== 'string') return claims;
  const headers = { authorization: `Bearer ${accessToken}` };
  // The ID token is enough if it has an address. A signed response is no JSON.
  const signal = AbortSignal.timeout(userinfoDeadlineMs);
  const response = await fetch(userinfo, { headers, signal }).catch(() => undefined);
  const more = fieldsOf(await response?.json().catch(() => undefined));
  // Another subject's claims must not be used (OpenID Connect Core 5.3.2).
  const isOfPerson = response?.ok === true && (idToken === undefined || more.sub === claims.sub);
  // Memberships must not end because a request failed, or a proxy has responded to it.
  if (needsMapped && !isOfPerson) {
    noteStep(
      `the userinfo endpoint returns ${response?.status ?? 'nothing'}, and no claims of the person`,
      [],
    );
    return {};
  }
  if (!isOfPerson) return claims;
  // The one vouches only for its own address.
  const isSame =
    claims.email === undefined || String(claims.email).toLowerCase() === String(more.email).toLowerCase();
  return { ...more, ...(!isSame && { email_verified: undefined }), ...claims };
}
