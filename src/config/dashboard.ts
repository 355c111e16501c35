import { BlockList, isIP } from 'node:net';
import { isEmail } from '../lib/email.ts';
import { ConfigError, type EnvironmentReader } from '../lib/settings.ts';

/** Settings for the parts that people use: accounts, mail and notifications. */
export interface DashboardSettings {
  /** The first administrator's address. */
  readonly adminEmail: string;
  readonly isSignUpOpen: boolean;
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly mail: MailSettings | null;
  readonly github: OAuthClientSettings | null;
  readonly google: OAuthClientSettings | null;
  readonly oidc: (OAuthClientSettings & { readonly issuer: string; readonly name: string }) | null;
  /** Whether webhooks may go to addresses that the internet does not route. */
  readonly mayNotifyPrivateAddresses: boolean;
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
  const issuer = read.text('OIDC_ISSUER');
  const oidc = oauthClient(read, 'OIDC', publicUrl);
  const name = read.text('OIDC_NAME') ?? 'Single sign-on';
  if (oidc && issuer === null) missing('OIDC_ISSUER', 'with OIDC_CLIENT_ID', 'https://id.example.com');
  if (issuer !== null && !isHttpUrl(issuer)) {
    throw new ConfigError('OIDC_ISSUER: is not an address; for example OIDC_ISSUER=https://id.example.com');
  }
  return Object.freeze({
    adminEmail: adminEmail(read.text('ADMIN_EMAIL') ?? 'admin@embedgate.internal'),
    isSignUpOpen: read.choice('SIGN_UP', ['closed', 'open'], 'closed') === 'open',
    trustedProxies: networks(read.text('TRUSTED_PROXIES')),
    mail: mail(read, publicUrl),
    github: oauthClient(read, 'GITHUB', publicUrl),
    google: oauthClient(read, 'GOOGLE', publicUrl),
    oidc: oidc && issuer !== null ? { ...oidc, issuer, name } : null,
    mayNotifyPrivateAddresses:
      read.choice('WEBHOOK_PRIVATE_ADDRESSES', ['refuse', 'allow'], 'refuse') === 'allow',
  });
}

function mail(read: EnvironmentReader, publicUrl: string | null): MailSettings | null {
  const url = read.text('SMTP_URL');
  const from = read.text('MAIL_FROM');
  if (url === null) return null;
  // No error repeats the value, because it may contain a password.
  const parsed = URL.parse(url);
  if ((parsed?.protocol !== 'smtp:' && parsed?.protocol !== 'smtps:') || !parsed.hostname) {
    throw new ConfigError(
      'SMTP_URL: is not an smtp:// or smtps:// address; for example SMTP_URL=smtps://USER:PASSWORD@mail.example.com',
    );
  }
  // Otherwise the Host header of a request would decide where a mailed link leads.
  if (publicUrl === null) missing('PUBLIC_URL', 'with SMTP_URL', 'https://embed.example.com');
  return { url, from: email('MAIL_FROM', from ?? `embedgate@${mailDomain(publicUrl)}`) };
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : 'embedgate.internal';
}

function oauthClient(
  read: EnvironmentReader,
  prefix: string,
  publicUrl: string | null,
): OAuthClientSettings | null {
  const [clientId, clientSecret] = [read.text(`${prefix}_CLIENT_ID`), read.text(`${prefix}_CLIENT_SECRET`)];
  if (clientId === null && clientSecret === null) return null;
  if (clientId === null) return missing(`${prefix}_CLIENT_ID`, `with ${prefix}_CLIENT_SECRET`, 'abc123');
  if (clientSecret === null) return missing(`${prefix}_CLIENT_SECRET`, `with ${prefix}_CLIENT_ID`, 'abc123');
  if (publicUrl === null) missing('PUBLIC_URL', `with ${prefix}_CLIENT_ID`, 'https://embed.example.com');
  return { clientId, clientSecret };
}

function networks(value: string | null): string[] {
  const entries = value?.split(',').map((entry) => entry.trim()) ?? [];
  for (const entry of entries) {
    if (isNetwork(entry)) continue;
    throw new ConfigError(
      `TRUSTED_PROXIES: "${entry}" is neither an address nor a network; for example TRUSTED_PROXIES=127.0.0.1,10.0.0.0/8`,
    );
  }
  return entries;
}

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d+$/.test(prefix) ? Number(prefix) : -1,
      version === 6 ? 'ipv6' : 'ipv4',
    );
    return true;
  } catch {
    return false;
  }
}

/** Returns an address that can sign in. Fewer addresses can sign in than can send mail. */
function adminEmail(value: string): string {
  if (isEmail(value)) return value;
  throw new ConfigError(
    `ADMIN_EMAIL: "${value.slice(0, 100)}" can't sign in: use plain letters and digits, and at most 254 characters; for example ADMIN_EMAIL=ada@example.com`,
  );
}

function email(name: string, value: string): string {
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)) return value;
  throw new ConfigError(`${name}: "${value}" is not an email address; for example ${name}=ada@example.com`);
}

function isHttpUrl(value: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '');
}

function missing(name: string, why: string, example: string): never {
  throw new ConfigError(`${name}: is required ${why}; for example ${name}=${example}`);
}

const originsExample = 'https://app.example.com,https://admin.example.com';

/**
 * Reads the origins whose web pages may call the API with a key. `*` means all, an empty list none. Throws a
 * ConfigError.
 */
export function readCorsOrigins(read: EnvironmentReader): readonly string[] {
  const origins = (read.text('CORS_ORIGINS') ?? '').split(',').map((origin) => origin.trim());
  return origins.filter(Boolean).map((origin) => {
    if (origin === '*' || isOrigin(origin)) return origin;
    throw new ConfigError(
      `CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.com, or *; for example CORS_ORIGINS=${originsExample}`,
    );
  });
}

/** Reports whether browsers send exactly this text as an origin: no path, no default port, lower case. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.origin === text;
}
