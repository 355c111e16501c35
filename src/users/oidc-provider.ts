import { createAuthorizationURL, type OAuthProvider, validateAuthorizationCode } from 'better-auth/oauth2';
import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { emailKey, isEmail } from '../lib/email.ts';
import { claimOf, mapped } from './claim-map.ts';
import { readIdToken } from './id-token.ts';
import { note } from './refused-sign-ins.ts';
import type { SignInSettings } from './sign-in.ts';

export type OidcSettings = NonNullable<SignInSettings['oidc']>;
type Tokens = Awaited<ReturnType<typeof validateAuthorizationCode>>;

const userinfoDeadlineMs = 4_000;
const maxHintLength = 4_000;

/** Ways to send the client's secret, by their names in a discovery document. The standard's default comes first. */
const ways = { client_secret_basic: 'basic', client_secret_post: 'post' } as const;

/** Returns the provider as the library takes it. `discovery` is the provider's discovery document. */
export function oidcProvider(settings: OidcSettings, discovery: JsonObject): OAuthProvider {
  const { clientId, name, claimMap } = settings;
  const iss = String(discovery.issuer);
  const keysUrl = String(discovery.jwks_uri);
  const scopes = ['openid', 'email', 'profile', ...(claimMap?.scopes ?? [])];
  return {
    id: 'oidc',
    name,
    issuer: iss,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => String(fieldsOf(profile).sub),
    createAuthorizationURL({ idTokenNonce: nonce, ...data }) {
      const authorizationEndpoint = String(discovery.authorization_endpoint);
      const client = { id: 'oidc', options: { clientId }, authorizationEndpoint };
      return createAuthorizationURL({ ...data, ...client, scopes, nonce });
    },
    createEndSessionURL: ({ idToken, postLogoutRedirectURI }) =>
      endSessionUrl(discovery.end_session_endpoint, {
        client_id: clientId,
        // With many groups in it, the address would be longer than servers accept.
        id_token_hint: idToken && idToken.length <= maxHintLength ? idToken : null,
        post_logout_redirect_uri: postLogoutRedirectURI,
      }),
    validateAuthorizationCode: (data) => tokensFor(settings, discovery, data),
    async getUserInfo({ expectedIdTokenNonce: nonce, ...tokens }) {
      const stated = await readIdToken(tokens.idToken, keysUrl, { iss, aud: clientId, nonce });
      const claims = await withUserinfo(stated, tokens, discovery.userinfo_endpoint, settings);
      if (typeof claims === 'string') {
        note({ step: claims });
        return null;
      }
      note({ claims: Object.keys(claims).join(', ') });
      if (claimMap) note(mapped(claimMap, claims));
      return { user: userOf(claims, settings), data: claims };
    },
  };
}

/** Returns where the person signs out of the provider (OpenID Connect RP-Initiated Logout). Null: the provider can't do that. */
function endSessionUrl(endpoint: unknown, fields: Record<string, string | null | undefined>): URL | null {
  const url = URL.parse(String(endpoint));
  for (const [name, value] of Object.entries(fields)) if (value) url?.searchParams.set(name, value);
  return url;
}

function userOf(claims: JsonObject, { trustsEmail }: OidcSettings) {
  const { name, email, email_verified, preferred_username } = claims;
  // Amazon Cognito sends a text. Providers can send anything in a claim, so nothing else counts.
  const isVerified = trustsEmail || email_verified === true || email_verified === 'true';
  const other = trustsEmail && isEmail(String(preferred_username)) ? preferred_username : null;
  const address = email || other;
  return {
    name: typeof name === 'string' ? name : undefined,
    email: typeof address === 'string' ? address : null,
    emailVerified: isVerified && isEmail(String(address)),
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

/** Returns the claims of the ID token and the ones that only userinfo has, or why these can't be read. */
async function withUserinfo(
  stated: JsonObject | string,
  { accessToken }: Tokens,
  userinfo: unknown,
  { trustsEmail, claimMap }: OidcSettings,
): Promise<JsonObject | string> {
  if (typeof stated === 'string') return stated;
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
  const isOfPerson = response?.ok === true && more.sub === claims.sub;
  // Memberships must not end because a request failed, or a proxy has responded to it.
  if (needsMapped && !isOfPerson)
    return `the userinfo endpoint returns ${response?.status ?? 'nothing'}, and no claims of the person`;
  if (!isOfPerson) return claims;
  // The one vouches only for its own address.
  const isSame =
    claims.email === undefined || emailKey(String(claims.email)) === emailKey(String(more.email));
  return { ...more, ...(!isSame && { email_verified: undefined }), ...claims };
}
