import { isIP } from 'node:net';
import { type EnvironmentReader, refuse, type Setting, type Values } from '../lib/settings.ts';
import { accounts, github, google, mail, oidc, provider, service } from './settings.ts';

/** Settings for the parts that people use: accounts, mail and notifications. */
export interface DashboardSettings extends Values<typeof accounts> {
  readonly mail: MailSettings | null;
  readonly github: OAuthClientSettings | null;
  readonly google: OAuthClientSettings | null;
  readonly oidc: (OAuthClientSettings & { readonly issuer: string; readonly name: string }) | null;
}

export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

export interface OAuthClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Throws a ConfigError at the first invalid value. */
export function readDashboardSettings(read: EnvironmentReader, publicUrl: string | null): DashboardSettings {
  const client = oauthClient(read, oidc, publicUrl);
  const { issuer, name } = read.all(provider);
  if (client && issuer === null) missing(provider.issuer, oidc.clientId);
  return {
    ...read.all(accounts),
    mail: mailSettings(read, publicUrl),
    github: oauthClient(read, github, publicUrl),
    google: oauthClient(read, google, publicUrl),
    oidc: client && issuer !== null ? { ...client, issuer, name } : null,
  };
}

function mailSettings(read: EnvironmentReader, publicUrl: string | null): MailSettings | null {
  const { url, from } = read.all(mail);
  if (url === null) return null;
  // Otherwise the Host header of a request would decide where a mailed link leads.
  if (publicUrl === null) missing(service.publicUrl, mail.url);
  return { url, from: email(from ?? `embedgate@${mailDomain(publicUrl)}`) };
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : 'embedgate.internal';
}

function oauthClient(
  read: EnvironmentReader,
  client: typeof github,
  publicUrl: string | null,
): OAuthClientSettings | null {
  const { clientId, clientSecret } = read.all(client);
  if (clientId === null && clientSecret === null) return null;
  if (clientId === null) return missing(client.clientId, client.clientSecret);
  if (clientSecret === null) return missing(client.clientSecret, client.clientId);
  if (publicUrl === null) return missing(service.publicUrl, client.clientId);
  return { clientId, clientSecret };
}

function email(value: string): string {
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)) return value;
  return refuse(mail.from.name, `"${value}" is not an email address`, mail.from.example);
}

type Named = Pick<Setting<unknown>, 'name' | 'example'>;

function missing({ name, example }: Named, { name: other }: Named): never {
  return refuse(name, `is required with ${other}`, example);
}
