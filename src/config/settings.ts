import { type Alias, variables as engines } from '../../packages/engine/src/index.ts';
import { httpAddress } from '../../packages/small/src/http-address.ts';
import {
  choice,
  flag,
  isHeaderValue,
  list,
  notAHeaderValue,
  parsed,
  type Setting,
  secret,
  setting,
  text,
  valid,
  whole,
} from '../../packages/small/src/settings.ts';
import { errorFormats } from '../errors.ts';
import { isEmail } from '../lib/email.ts';
import { isNetwork } from '../lib/networks.ts';
import { isMailUrl, isOrigin, isPostgresUrl, mailOptions } from './addresses.ts';
import { aliasExample, readAliases } from './names.ts';
import { proxyAddress } from './proxy.ts';

// The settings of the environment, by the field of the configuration. Types, errors and warnings about misspelled
// variables come from here, and docs/environment.md from the comments: "npm run settings-page" writes its tables.

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const kibibyte = 1 << 10;
const mebibyte = 1 << 20;
const dayMs = 86_400_000;
const minAuthSecretBytes = 32;

const count = (standard: number) => whole(standard, 1, 1_000_000);
const seconds = (standard: number) => whole(standard, 1, 3_600, 1_000);
const postgresUrl = valid(
  isPostgresUrl,
  'is not a postgres:// address of one host (in a password, write @ as %40, # as %23, / as %2F, ? as %3F and % as %25)',
  'postgres://embedgate:PASSWORD@db.internal:5432/embedgate',
);
const mailUrl = valid(
  isMailUrl,
  `is not an smtp:// or smtps:// address of a server, or has other options than ${mailOptions.join(', ')} and tls.… (those of TLS and pool are true or false)`,
  'smtps://USER:PASSWORD@mail.example.com',
);
const bucketUrl = parsed(null, 'https://s3.eu-central-1.amazonaws.com/BUCKET/PREFIX', (value, refuse) =>
  httpAddress(value, ['path'], refuse).href.replace(/\/+$/, ''),
);
const collectorUrl = parsed(
  null,
  'http://127.0.0.1:4318',
  (value, refuse) => httpAddress(value, ['path'], refuse).href,
);
const issuerUrl = parsed(null, 'https://id.example.com', (value, refuse) => {
  const { href } = httpAddress(value, ['path'], refuse);
  const [issuer, document] = href.split('/.well-known/');
  return document === undefined
    ? value
    : refuse(`must be the issuer, ${issuer}, not the address of its document`);
});
const clientText = text(null, 'abc123');
/** The path becomes part of cookies and of the pages' HTML. */
const plainPath = /^(\/[\w.~-]+)*\/?$/;
const publicUrl = parsed(null, 'https://embed.example.com', (value, refuse) => {
  const { origin, pathname } = httpAddress(value, ['path'], refuse);
  if (!plainPath.test(pathname))
    refuse('has a path with other characters than letters, digits, _, ., ~ and -');
  return origin + pathname.replace(/\/$/, '');
});
const networks = list(
  '127.0.0.1,10.0.0.0/8',
  (entry, refuse) => isNetwork(entry) || refuse('is neither an address nor a network', entry),
);
const keyPrefix = parsed('sk', 'acme', (value, refuse) =>
  /^[0-9a-z](\w{0,18}[0-9a-z])?$/i.test(value)
    ? value
    : refuse('must be 1 to 20 letters and digits, with _ only between them', value.slice(0, 100)),
);
const origins = list(
  'https://app.example.com,https://admin.example.com',
  (entry, refuse) =>
    entry === '*' ||
    isOrigin(entry) ||
    refuse('is not an origin such as https://app.example.com, or *', entry),
  Boolean,
);
const aliases = parsed<readonly Alias[], readonly Alias[]>([], aliasExample, (value, refuse) => {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).flatMap((entry) => readAliases(entry, (fault) => refuse(`one ${fault}`)));
});
const longSecret = parsed(null, '$(openssl rand -hex 32)', (value, refuse) => {
  const bytes = Buffer.byteLength(value);
  return bytes >= minAuthSecretBytes
    ? value
    : refuse(`has ${bytes} bytes but needs ${minAuthSecretBytes} or more`);
});
const mailAddress = parsed(null, 'ada@example.com', (value, refuse) =>
  /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value) ? value : refuse('is not an email address', value),
);
const sender = parsed(null, 'Acme Embeddings <embed@example.com>', (value, refuse) => {
  const [, name = '', address = value] = /^"?([^"<>\p{Cc}]*?)"? *<([^<>]*)>$/u.exec(value) ?? [];
  return { name, address: mailAddress.parse(address, refuse) ?? '' };
});
/** `localhost` can be `::1` alone, where health checks of 127.0.0.1 find nothing. */
const host = parsed('127.0.0.1', '0.0.0.0', (value) => (/^localhost$/i.test(value) ? '127.0.0.1' : value));
const directory = parsed('./data', '/var/lib/embedgate', (value, refuse) =>
  value.startsWith('~') ? refuse('begins with ~, which only a shell replaces: write the whole path') : value,
);
/** An address that can sign in. Fewer addresses can sign in than can send mail. */
const account = parsed('admin@embedgate.internal', 'ada@example.com', (value, refuse) =>
  isEmail(value)
    ? value
    : refuse("can't sign in: use plain letters and digits, and at most 254 characters", value.slice(0, 100)),
);

/** By the sections of docs/environment.md. */
export const settings = {
  service: {
    /** the address to listen on */
    host: setting('HOST', host),
    /** the port to listen on; 0 picks a free one */
    port: setting('PORT', whole(8_080, 0, 65_535)),
    /** the directory for all data */
    dataDir: setting('DATA_DIR', directory),
    /**
     * a YAML or JSON file with [models](models.md#several-models) to serve, [tiers](limits.md#tiers) and
     * [memberships by a claim](accounts.md#memberships-by-a-claim)
     */
    file: setting('EMBEDGATE_CONFIG', text(null)),
    /** where [traces](operations.md#traces) are sent, an OpenTelemetry collector; without it there are none */
    collector: setting('OTEL_EXPORTER_OTLP_ENDPOINT', collectorUrl),
    /** `off`: a first start creates no organization and no key */
    bootstrap: setting('EMBEDGATE_BOOTSTRAP', flag('on', 'off', true)),
    /**
     * how new keys begin; another prefix than `sk` also gives them [a checksum](security.md#a-prefix-of-your-own). Older
     * keys stay valid
     */
    keyPrefix: setting('KEY_PREFIX', keyPrefix),
    /**
     * the tier of new organizations; if there is no tier `free`, the first one
     * @default `free`
     */
    defaultTier: setting('DEFAULT_TIER', text(null)),
    /**
     * `openai` or `flat`: the [shape of errors](errors.md#openais-shape) for requests without `X-Error-Format`. By
     * default OpenAI's SDKs get OpenAI's shape, and all others `flat`
     * @default by client
     */
    errorFormat: setting('ERROR_FORMAT', choice(errorFormats, null)),
    /**
     * the address in people's browsers, if it differs from the one the service listens on; it can have
     * [a path](deploy.md#below-a-path)
     */
    publicUrl: setting('PUBLIC_URL', publicUrl),
    /** addresses and networks whose `X-Forwarded-For` is trusted, such as `127.0.0.1,10.0.0.0/8` */
    trustedProxies: setting('TRUSTED_PROXIES', networks),
    /**
     * origins whose web pages may call the API with a key, separated by commas, or `*`: see
     * [security](security.md#browsers)
     */
    corsOrigins: setting('CORS_ORIGINS', origins),
    /**
     * how long the service keeps serving after SIGTERM while `/ready` returns 503, so that a proxy sends requests
     * elsewhere
     */
    drainMs: setting('DRAIN_SECONDS', whole(0, 0, 300, 1_000)),
    /**
     * `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; logs go to stderr, as lines for people on a
     * terminal and as JSON otherwise
     */
    logLevel: setting('LOG_LEVEL', choice(logLevels, 'info')),
    /** `off`: no [request log](dashboard.md#the-request-log) is kept */
    hasRequestLog: setting('REQUEST_LOG', flag('on', 'off', true)),
    /** how long the request log keeps a request */
    requestLogMaxAgeMs: setting('REQUEST_LOG_DAYS', whole(7, 1, 365, dayMs)),
    /** how many requests of an organization the request log keeps */
    requestLogRows: setting('REQUEST_LOG_ROWS', whole(1_000_000, 1, 1_000_000_000)),
    /** how many of the newest requests of all organizations together may have entries in the request log, at 350 bytes each on SQLite and 570 on Postgres */
    requestLogTotalRows: setting('REQUEST_LOG_TOTAL_ROWS', whole(20_000_000, 1, 1_000_000_000)),
    /** how long the [audit log](access.md#audit-log) keeps an entry */
    auditMaxAgeMs: setting('AUDIT_LOG_DAYS', whole(365, 1, 36_500, dayMs)),
    /** the bearer token that `/metrics` requires; without it, everyone who reaches the service can read `/metrics` */
    metricsToken: secret('METRICS_TOKEN', text(null)),
  },
  model: {
    ...engines.model,
    /**
     * other names for that model in requests, separated by commas: see [Aliases](models.md#aliases). `openai`
     * stands for the names of OpenAI's models
     */
    aliases: setting('EMBEDDING_MODEL_ALIASES', aliases),
    ...engines.threads,
    ...engines.overrides,
    ...engines.hub,
  },
  upstream: engines.upstream,
  reranking: engines.rerank,
  database: {
    /** `postgres://…`: keeps the data in Postgres instead of SQLite in `DATA_DIR`, for any number of replicas */
    url: secret('DATABASE_URL', postgresUrl),
    /** a direct connection, if `DATABASE_URL` leads to a pooler in transaction mode */
    listenUrl: secret('DATABASE_LISTEN_URL', postgresUrl),
    /** maximum number of connections to Postgres, 4 or more; one that listens comes on top */
    poolSize: setting('DATABASE_POOL_SIZE', whole(10, 4, 1_000)),
  },
  /** A single process creates these in its data directory. */
  secrets: {
    /**
     * Ed25519 private keys (PKCS#8 PEM), or the path of a file with them; the first one signs
     * @default `signing-key.pem` in `DATA_DIR`
     */
    signingKey: secret('SIGNING_KEY', text(null, '/etc/embedgate/signing-key.pem')),
    /**
     * 32 bytes or more; the secrets of the cache, files, sessions and webhooks derive from it
     * @default `auth-secret` in `DATA_DIR`
     */
    authSecret: secret('AUTH_SECRET', longSecret),
  },
  accounts: {
    /** the email address of the administrator that the first start creates */
    adminEmail: setting('ADMIN_EMAIL', account),
    /** `open`: anyone can create an account; otherwise people need an invitation */
    isSignUpOpen: setting('SIGN_UP', flag('closed', 'open', false)),
    /**
     * how many days after the sign-in a session ends, however it is used; a session also ends after 7 days without use
     * @default no limit
     */
    sessionDays: setting('SESSION_DAYS', whole(null, 1, 3_650)),
    /** `smtp://…` or `smtps://…`: sends invitations, password resets and alerts by email; needs `PUBLIC_URL` */
    mailUrl: secret('SMTP_URL', mailUrl),
    /**
     * the sender of those emails, such as `embed@example.com` or `Acme Embeddings <embed@example.com>`
     * @default `embedgate@` and the host of `PUBLIC_URL`
     */
    mailFrom: setting('MAIL_FROM', sender),
    /** the email address that people write to for another tier or a new organization; the dashboard shows it */
    contactEmail: setting('CONTACT_EMAIL', mailAddress),
    /** `allow`: webhooks may go to addresses that are not on the public internet */
    mayNotifyPrivateAddresses: setting('WEBHOOK_PRIVATE_ADDRESSES', flag('refuse', 'allow', false)),
    /** the HTTP proxy that webhooks go through; it then decides [which addresses they may go to](alerts.md#through-a-proxy) */
    webhookProxy: secret('WEBHOOK_PROXY', proxyAddress),
  },
  signIn: {
    /** `off`: people sign in only with a provider: see [accounts](accounts.md#sign-in-by-the-provider-only) */
    hasPasswords: setting('PASSWORD_SIGN_IN', flag('on', 'off', true)),
    /** the client for sign-in with GitHub; register `PUBLIC_URL/auth/callback/github` there */
    githubId: setting('GITHUB_CLIENT_ID', clientText),
    /** its secret */
    githubSecret: secret('GITHUB_CLIENT_SECRET', clientText),
    /** the client for sign-in with Google; register `PUBLIC_URL/auth/callback/google` there */
    googleId: setting('GOOGLE_CLIENT_ID', clientText),
    /** its secret */
    googleSecret: secret('GOOGLE_CLIENT_SECRET', clientText),
    /** the issuer of any other OpenID Connect provider; register `PUBLIC_URL/auth/callback/oidc` there */
    issuer: setting('OIDC_ISSUER', issuerUrl),
    /** the client that you registered there */
    oidcId: setting('OIDC_CLIENT_ID', clientText),
    /** its secret */
    oidcSecret: secret('OIDC_CLIENT_SECRET', clientText),
    /**
     * `on`: you vouch for the issuer's addresses. Then `email_verified` may be missing or false, and
     * `preferred_username` may hold the address: see [accounts](accounts.md#required-claims)
     */
    trustsEmail: setting('OIDC_TRUST_EMAIL', flag('off', 'on', false)),
    /** the label of its button */
    name: setting('OIDC_NAME', text('Single sign-on')),
  },
  cache: {
    /** memory for vectors and responses */
    cacheMemoryBytes: setting('CACHE_MEMORY_MB', whole(64, 1, 1_048_576, mebibyte)),
    /** disk space for vectors */
    cacheStoreBytes: setting('CACHE_STORE_MB', whole(1_024, 1, 16_777_216, mebibyte)),
    /** how long the disk keeps a vector */
    cacheMaxAgeMs: setting('CACHE_MAX_AGE_DAYS', whole(30, 1, 36_500, dayMs)),
  },
  /** The [files and batches](batches.md) of each organization. */
  files: {
    /** what an organization's files may take, in gigabytes: see [where files are](batches.md#storage) */
    maxStoredBytes: setting('FILES_MAX_GB', whole(10, 1, 1_000_000, 1_000 * 1_000 * 1_000)),
    /** how many files an organization may have */
    maxFiles: setting('FILES_MAX', count(1_000)),
    /** how many texts the lines of a batch may have together */
    maxBatchTexts: setting('BATCH_MAX_TEXTS', whole(50_000, 1, 100_000_000)),
  },
  bucket: {
    /** the address of an S3-compatible bucket that keeps the files, with any prefix */
    url: setting('FILES_URL', bucketUrl),
    /** the id of the access key for that bucket */
    accessKeyId: setting('AWS_ACCESS_KEY_ID', valid(isHeaderValue, notAHeaderValue, 'AKIA…')),
    /** its secret */
    secretAccessKey: secret('AWS_SECRET_ACCESS_KEY', text(null, 'wJalr…')),
    /** the token of temporary credentials; restart the service with new ones before they end */
    sessionToken: secret('AWS_SESSION_TOKEN', valid(isHeaderValue, notAHeaderValue, 'IQoJb…')),
    /**
     * the region of the bucket
     * @default from `FILES_URL`, or `us-east-1`
     */
    region: setting('AWS_REGION', valid(isHeaderValue, notAHeaderValue, 'eu-central-1')),
  },
  /** Limits on the resources that one client, one organization, and all clients together may hold at a time. */
  bounds: {
    /** connections in total */
    maxConnections: setting('MAX_CONNECTIONS', count(10_000)),
    /** connections from one address, unless it is in `TRUSTED_PROXIES`; [further ones wait](security.md#bounds) */
    maxConnectionsPerAddress: setting('MAX_CONNECTIONS_PER_ADDRESS', count(512)),
    /** requests in progress of one organization, user or address; further ones of a key [that waits](limits.md#requests-at-a-time) wait */
    maxRequestsPerOrganization: setting('MAX_REQUESTS_PER_ORGANIZATION', count(1_024)),
    /** how many of those can be at work at a time, except those by a key that embed, rerank or tokenize; further ones wait */
    maxRequestsAtWork: setting('MAX_REQUESTS_AT_WORK', count(8)),
    /** valid API keys of an organization; people can rotate keys up to twice as many */
    maxKeysPerOrganization: setting('MAX_KEYS_PER_ORGANIZATION', count(1_000)),
    /** the body of a request with texts: to embed, rerank or tokenize them, or for a batch */
    maxBodyBytes: setting('MAX_BODY_KB', whole(4_096, 16, 65_536, kibibyte)),
    /** the body of any other request */
    maxFormBytes: setting('MAX_FORM_KB', whole(16, 16, 4_096, kibibyte)),
    /** memory for bodies that arrive and responses that wait to be read; [organizations share it](fair-queue.md) */
    maxHeldBytes: setting('MAX_HELD_MB', whole(512, 16, 1_048_576, mebibyte)),
    /** the same memory for one organization */
    maxHeldBytesPerOrganization: setting('MAX_HELD_MB_PER_ORGANIZATION', whole(128, 16, 1_048_576, mebibyte)),
    /**
     * tokens of texts that are admitted at a time, for each model; [organizations share them](fair-queue.md)
     * @default two of the largest requests
     */
    maxQueueTokens: setting('MAX_QUEUE_TOKENS', whole(null, 1_024, 1_000_000_000)),
    /** how long the headers of a request may take to arrive */
    headerTimeoutMs: setting('HEADER_TIMEOUT_SECONDS', seconds(10)),
    /** how long the body of a request may take to arrive; of an upload, its next 64 KiB */
    bodyTimeoutMs: setting('BODY_TIMEOUT_SECONDS', seconds(60)),
    /**
     * how long a connection stays open on which nothing is sent or received; an idle one of `TRUSTED_PROXIES` stays open
     * for 65 minutes: see [idle connections](deploy.md#idle-connections)
     */
    idleTimeoutMs: setting('IDLE_TIMEOUT_SECONDS', seconds(75)),
  },
};

const tables: readonly Readonly<Record<string, Setting<unknown>>>[] = Object.values(settings);
export const sections = tables.map((table) => Object.values(table));
