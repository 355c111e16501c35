import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { ServiceError } from '../errors.ts';
import type { AskLibrary, SignInSettings } from './sign-in.ts';

const discoveryDeadlineMs = 4_000;
const retryMs = 30_000;
/** What the sign-in reads of the provider's discovery document. */
const needed = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

interface Parts {
  readonly issuer: string;
  /** Opens the library with the provider's discovery document. */
  open(discovery: JsonObject): Promise<AskLibrary>;
  readonly log: SignInSettings['log'];
}

/**
 * Signs in with the OpenID Connect provider. Retries in the background until the provider's configuration can be read.
 */
export class OidcSignIn {
  readonly #parts: Parts;
  #opening: Promise<AskLibrary | undefined> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts connecting to the provider. */
  start(): void {
    if (!this.#isClosed) this.#opening ??= this.#open();
  }

  /** The library once the provider's configuration was read. */
  opened: AskLibrary | undefined;

  /** Throws `unavailable` while the provider can't be reached. */
  async get(): Promise<AskLibrary> {
    this.start();
    const library = await this.#opening;
    if (library) return library;
    throw new ServiceError('unavailable', 'The sign-in provider does not respond. Try again later', {
      retryAfterSeconds: retryMs / 1_000,
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  async #open(): Promise<AskLibrary | undefined> {
    const { issuer, open, log } = this.#parts;
    clearTimeout(this.#retry);
    try {
      const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const response = await fetch(url, { signal: AbortSignal.timeout(discoveryDeadlineMs) });
      const discovery = fieldsOf(await response.json().catch(() => undefined));
      const missing = needed.filter((name) => typeof discovery[name] !== 'string');
      if (!response.ok || missing.length > 0)
        throw new Error(`${url} returns ${response.status} without ${missing.join(', ')}`);
      this.opened = await open(discovery);
      return this.opened;
    } catch (reason) {
      log('warn', 'the OpenID Connect provider cannot be used yet', reason);
      this.#opening = undefined;
      if (!this.#isClosed) this.#retry = setTimeout(() => this.start(), retryMs).unref();
      return undefined;
    }
  }
}
