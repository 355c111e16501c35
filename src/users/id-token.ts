import { validateToken } from 'better-auth/oauth2';
import { fieldsOf, type JsonObject, parsedJson } from '../../packages/small/src/json.ts';
import { excerpt } from '../lib/harmless.ts';

/** How far the provider's clock may differ from this machine's. */
const leewaySeconds = 60;

/** Returns the claims of an ID token, or why it is refused (OpenID Connect Core 3.1.3.7). */
export async function readIdToken(
  idToken: unknown,
  keysUrl: string,
  expected: { readonly iss: string; readonly aud: string; readonly nonce: string | undefined },
): Promise<JsonObject | string> {
  if (typeof idToken !== 'string') return 'the token endpoint returns no ID token';
  // Reads the keys each time, so that a new one works at once. An error about a claim has the payload too: the
  // signature is right, and the claims are checked here, with leeway.
  const { payload, code } = await validateToken(idToken, keysUrl).then(fieldsOf, fieldsOf);
  if (payload === undefined) return unsigned(code, idToken, keysUrl);
  const claims = fieldsOf(payload);
  const { iss, aud, azp = expected.aud, exp, nbf, nonce, sub } = claims;
  const now = Math.floor(Date.now() / 1_000);
  if (iss !== expected.iss) return `the ID token's issuer is ${shown(iss)}, not ${shown(expected.iss)}`;
  if (![aud].flat().includes(expected.aud))
    return `the ID token's audience is ${shown(aud)}, not OIDC_CLIENT_ID, ${shown(expected.aud)}`;
  if (azp !== expected.aud)
    return `the ID token's azp is ${shown(azp)}, not OIDC_CLIENT_ID, ${shown(expected.aud)}`;
  if (typeof exp !== 'number') return 'the ID token has no exp that is a number';
  if (exp + leewaySeconds <= now)
    return `the ID token expired ${now - exp} seconds ago by this machine's clock`;
  if (nbf !== undefined && !(Number(nbf) - leewaySeconds <= now))
    return `the ID token is valid from ${shown(nbf)} on, and it is ${now} by this machine's clock`;
  if (expected.nonce === undefined || nonce !== expected.nonce)
    return 'the ID token has another nonce than this sign-in';
  return typeof sub === 'string' && sub.trim() !== '' ? claims : 'the ID token has no sub that is a text';
}

/** Returns why a signature can't be verified. */
function unsigned(code: unknown, idToken: string, keysUrl: string): string {
  const header = Buffer.from(idToken.split('.')[0]!, 'base64url').toString();
  const { alg, kid } = fieldsOf(parsedJson(header));
  if (code === 'ERR_JOSE_NOT_SUPPORTED')
    return `the ID token is signed with ${shown(alg)}: choose RS256, PS256, ES256 or EdDSA for this client at the provider`;
  const count = { ERR_JWKS_NO_MATCHING_KEY: 'none', ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'several' }[
    String(code)
  ];
  if (count)
    return `the ID token's kid, ${shown(kid)}, names ${count} of the keys for ${shown(alg)} at ${keysUrl}`;
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
    return `no key at ${keysUrl} verifies the signature of the ID token`;
  return `the ID token can't be verified with the keys at ${keysUrl} (${code ?? 'no response'})`;
}

const shown = (value: unknown): string => excerpt(JSON.stringify(value) ?? 'missing');
