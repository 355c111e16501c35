import { tokenKid } from '../../keys/cwt.ts';

interface KeyRow {
  readonly status: string;
  readonly token: Uint8Array;
  readonly expiresAt: number;
}

/** Counts the API keys that are valid at `nowMs` by the signing key that signed their tokens. */
export class SignedBy {
  readonly #counts = new Map<string, number>();
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  add({ status, token, expiresAt }: KeyRow): void {
    const kid = tokenKid(token);
    if (status !== 'active' || expiresAt <= this.#nowMs || !kid) return;
    const name = Buffer.from(kid).toString('hex');
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
