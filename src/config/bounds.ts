import type { EnvironmentReader } from '../lib/settings.ts';

/** Limits on the resources that one client, one organization, and all clients together may hold at a time. */
export interface Bounds {
  readonly maxConnections: number;
  /** Connections from one address, unless it is a trusted proxy's. */
  readonly maxConnectionsPerAddress: number;
  /** Requests sent on one connection that are not answered yet. */
  readonly maxRequestsPerConnection: number;
  /**
   * Requests in progress of all keys of an organization, of all sessions of a user, or of an address that has neither.
   */
  readonly maxRequestsPerOrganization: number;
  /** Requests of one client that are at work at a time, except for embeddings with a key. Further requests wait. */
  readonly maxRequestsAtWork: number;
  /** Maximum body of a request for embeddings. */
  readonly maxBodyBytes: number;
  /** Maximum body of any other request. */
  readonly maxFormBytes: number;
  /** Bodies that are arriving or being worked on, and responses that clients have not read, in total. */
  readonly maxHeldBytes: number;
  /** The part of `maxHeldBytes` that one organization, user or address may hold. */
  readonly maxHeldBytesPerOrganization: number;
  /** Estimated tokens of admitted texts, for each model. Null: enough for two of the largest requests. */
  readonly maxQueueTokens: number | null;
  /** Time from a request's first byte to the end of its headers. */
  readonly headerTimeoutMs: number;
  /** Time from a request's first byte to its last. */
  readonly bodyTimeoutMs: number;
  /** Time between two requests on a connection. */
  readonly idleTimeoutMs: number;
  /** Time in which a client reads no byte of its pending response. */
  readonly unreadTimeoutMs: number;
}

const kibibyte = 1 << 10;
const mebibyte = 1 << 20;

/** Throws a ConfigError at the first invalid value. */
export function readBounds({ whole }: Pick<EnvironmentReader, 'whole'>): Bounds {
  const count = (name: string, standard: number): number =>
    whole(name, { default: standard, min: 1, max: 1_000_000 });
  const seconds = (name: string, standard: number): number =>
    whole(name, { default: standard, min: 1, max: 3_600 }) * 1_000;
  return Object.freeze({
    maxConnections: count('MAX_CONNECTIONS', 10_000),
    maxConnectionsPerAddress: count('MAX_CONNECTIONS_PER_ADDRESS', 512),
    maxRequestsPerConnection: count('MAX_REQUESTS_PER_CONNECTION', 16),
    maxRequestsPerOrganization: count('MAX_REQUESTS_PER_ORGANIZATION', 1_024),
    maxRequestsAtWork: count('MAX_REQUESTS_AT_WORK', 8),
    maxBodyBytes: whole('MAX_BODY_KB', { default: 4_096, min: 16, max: 65_536 }) * kibibyte,
    maxFormBytes: whole('MAX_FORM_KB', { default: 16, min: 16, max: 4_096 }) * kibibyte,
    maxHeldBytes: whole('MAX_HELD_MB', { default: 512, min: 16, max: 1_048_576 }) * mebibyte,
    maxHeldBytesPerOrganization:
      whole('MAX_HELD_MB_PER_ORGANIZATION', { default: 128, min: 16, max: 1_048_576 }) * mebibyte,
    maxQueueTokens: whole('MAX_QUEUE_TOKENS', { default: null, min: 1_024, max: 1_000_000_000 }),
    headerTimeoutMs: seconds('HEADER_TIMEOUT_SECONDS', 10),
    bodyTimeoutMs: seconds('BODY_TIMEOUT_SECONDS', 60),
    idleTimeoutMs: seconds('IDLE_TIMEOUT_SECONDS', 75),
    unreadTimeoutMs: seconds('UNREAD_TIMEOUT_SECONDS', 30),
  });
}
