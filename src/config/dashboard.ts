import { isIP } from 'node:net';
import {
  type EnvironmentReader,
  type Fields,
  refuse,
  type Setting,
} from '../../packages/small/src/settings.ts';
import type { MailAddress } from '../lib/mailer.ts';
import { readClaimMap } from './claim-map.ts';
import { settings } from './settings.ts';

const { accounts, signIn, service } = settings;

/** Reads the settings for the parts that people use: accounts, mail and notifications. Throws a ConfigError. */
export function readDashboardSettings(
  read: EnvironmentReader,
  publicUrl: string | null,
  file: Fields | null,
) {
  const { mailUrl, mailFrom, ...others } = read.all(accounts);
  const oidc = oauthClient(read, signIn.oidcId, signIn.oidcSecret, publicUrl);
  const { hasPasswords, issuer, name, trustsEmail } = read.all(signIn);
  if (oidc && issuer === null) missing(signIn.issuer, signIn.oidcId);
  if (!oidc && issuer !== null) missing(signIn.oidcId, signIn.issuer);
  const claimMap = readClaimMap(file);
  if (!oidc && claimMap) file?.fail('sign_in', 'needs OIDC_ISSUER', 'OIDC_ISSUER=https://id.example.com');
  const github = oauthClient(read, signIn.githubId, signIn.githubSecret, publicUrl);
  const google = oauthClient(read, signIn.googleId, signIn.googleSecret, publicUrl);
  if (!hasPasswords && !github && !google && !oidc)
    refuse('PASSWORD_SIGN_IN', 'off needs a provider to sign in with, such as OIDC_ISSUER', 'on');
  return {
    ...others,
    hasPasswords,
    mail: mailUrl === null ? null : mailSettings(mailUrl, mailFrom, publicUrl),
    github,
    google,
    oidc: oidc && issuer !== null ? { ...oidc, issuer, name, trustsEmail, claimMap } : null,
  };
}

function mailSettings(url: string, from: MailAddress | null, publicUrl: string | null) {
  // Otherwise the Host header of a request would decide where a mailed link leads.
  if (publicUrl === null) return missing(service.publicUrl, accounts.mailUrl);
  return { url, from: from ?? { name: '', address: `embedgate@${mailDomain(publicUrl)}` } };
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : 'embedgate.internal';
}

function oauthClient(
  read: EnvironmentReader,
  id: Setting<string | null>,
  secret: Setting<string | null>,
  publicUrl: string | null,
) {
  const { clientId, clientSecret } = read.all({ clientId: id, clientSecret: secret });
  if (clientId === null && clientSecret === null) return null;
  if (clientId === null) return missing(id, secret);
  if (clientSecret === null) return missing(secret, id);
  if (publicUrl === null) return missing(service.publicUrl, id);
  return { clientId, clientSecret };
}

/** Refuses a setting that does nothing without the first one. */
export function missing({ name, example }: Setting<unknown>, { name: other }: Setting<unknown>): never {
  return refuse(name, `is required with ${other}`, example);
}
