import { ServiceError } from '../../../src/errors.ts';
import { digestOf } from '../../../src/keys/key-secret.ts';
import { fixedKeyring, generateSigningKey } from '../../../src/keys/keyring.ts';
import { type KeySummary, Keys } from '../../../src/keys/keys.ts';
import { allRows } from '../../../src/lib/page.ts';
import { Organizations } from '../../../src/organizations/organizations.ts';
import { Ledger } from '../../../src/quota/ledger.ts';
import type { Reservation } from '../../../src/quota/ledger-store.ts';
import type { LimitUnit, Units } from '../../../src/quota/limit.ts';
import type { QuotaLimit } from '../../../src/quota/tiers.ts';
import { dayOf, type WindowKind } from '../../../src/quota/window.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { askOf } from '../../helpers/asks.ts';
import type { TestClock } from '../../helpers/clock.ts';
import { addUsage } from '../../helpers/stored.ts';

/** The commands for the stores. Organizations, keys and reservations are numbered in the order of their creation. */
export type Command =
  | { do: 'create organization'; tier: string; custom: QuotaLimit | null }
  | { do: 'create key'; org: number; lifetimeMs: number }
  | { do: 'rotate key'; key: number; graceMs: number; by: 'itself' | 'person' }
  | { do: 'revoke key'; key: number }
  | { do: 'set tier'; org: number; tier: string; custom: QuotaLimit | null }
  | { do: 'add limit'; org: number; key: number | null; unit: LimitUnit; window: WindowKind; amount: number }
  | { do: 'change limit'; limit: number; amount: number | null }
  /** All at once, so that they share flushes. */
  | { do: 'reserve'; asks: { key: number; units: Units }[]; giveBack: readonly number[] }
  | { do: 'settle'; reservation: number; tokens: number }
  | { do: 'record usage'; keys: number[]; texts: number }
  | { do: 'read organization'; org: number }
  | { do: 'read key'; key: number }
  | { do: 'read usage'; org: number };

type Made = { orgId: string; keyId: string; firstKeyId: string; secret: string };

const keyring = fixedKeyring([generateSigningKey()]);

/** One database under the model: executes commands and returns what can be seen of it, without its random ids. */
export class Side {
  readonly #stores: Stores;
  readonly #clock: TestClock;
  readonly #ledger: Ledger;
  readonly #keys: Keys;
  readonly #organizations: Organizations;
  readonly #orgIds: string[] = [];
  readonly #made: Made[] = [];
  readonly #limits: { orgId: string; limitId: string }[] = [];
  readonly #reservations: Reservation[] = [];

  constructor(stores: Stores, clock: TestClock) {
    this.#stores = stores;
    this.#clock = clock;
    this.#ledger = new Ledger(stores.ledger, clock);
    this.#keys = new Keys(stores.keys, keyring, clock);
    this.#organizations = new Organizations(stores.organizations, this.#keys, clock);
  }

  async run(command: Command): Promise<unknown> {
    try {
      return await this.#carryOut(command);
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason;
      return { code: reason.code, retryAfterSeconds: reason.retryAfterSeconds };
    }
  }

  async #carryOut(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'create organization': {
        const { orgId, ...made } = await this.#organizations.create({ name: 'org', ...command });
        this.#orgIds.push(orgId);
        return made;
      }
      case 'create key': {
        const orgId = this.#org(command.org);
        const made = await this.#keys.create({
          orgId,
          userId: 'u',
          name: 'k',
          lifetimeMs: command.lifetimeMs,
        });
        this.#add(made);
        return this.#nameless(made.key);
      }
      case 'rotate key': {
        const made = await this.#keys.rotate(this.#key(command.key).keyId, command.graceMs, command.by);
        this.#add(made);
        return { made: this.#nameless(made.key), oldExpiresAt: made.oldExpiresAt };
      }
      case 'revoke key':
        return (await this.#keys.revoke(this.#key(command.key).keyId))
          .map((keyId) => this.#number(keyId))
          .sort((a, b) => a - b);
      case 'set tier': {
        const { orgId: _, ...now } = await this.#organizations.setTier(
          this.#org(command.org),
          command.tier,
          command.custom,
        );
        return now;
      }
      case 'add limit': {
        const { unit, window, amount, key } = command;
        const orgId = key === null ? this.#org(command.org) : this.#key(key).orgId;
        const keyId = key === null ? null : this.#key(key).firstKeyId;
        // If several limits end at the same time, the refusal names the one with the smallest id.
        const limitId = `${orgId} ${String(this.#limits.length).padStart(3, '0')}`;
        this.#limits.push({ orgId, limitId });
        return this.#stores.limits.insert({ limitId, orgId, keyId, unit, window, amount, createdAt: 1 });
      }
      case 'change limit': {
        const limit = this.#limits[command.limit % this.#limits.length];
        if (!limit) return undefined;
        const { orgId, limitId } = limit;
        if (command.amount === null) return this.#stores.limits.delete(orgId, limitId);
        return this.#stores.limits.setAmount(orgId, limitId, command.amount);
      }
      case 'reserve':
        return this.#reserve(command);
      case 'settle': {
        const place = command.reservation % this.#reservations.length;
        const reservation = this.#reservations[place];
        if (!reservation) return undefined;
        this.#reservations[place] = await this.#ledger.settle(reservation, command.tokens);
        return undefined;
      }
      case 'record usage': {
        const at = { day: dayOf(this.#clock.now()), lastUsedAt: this.#clock.now() };
        const figures = {
          model: 'test-model',
          cached: 1,
          failed: 2,
          texts: command.texts,
          tokens: 7 * command.texts,
          truncated: command.texts,
        };
        const keys = command.keys.map((key) => this.#key(key));
        return addUsage(
          this.#stores.usage,
          keys.map(({ orgId, keyId }) => ({ orgId, keyId, ...at, ...figures })),
        );
      }
      case 'read organization': {
        const orgId = this.#org(command.org);
        const { orgId: _, ...organization } = await this.#organizations.get(orgId);
        const keys = await allRows((page) => this.#keys.list(orgId, page));
        return {
          organization,
          standing: await this.#ledger.readStanding(orgId),
          limits: await this.#limitsOf(orgId),
          keys: keys.map((key) => this.#nameless(key)).sort((a, b) => a.key - b.key),
        };
      }
      case 'read key': {
        const found = await this.#stores.keys.findByDigest(digestOf(this.#key(command.key).secret));
        return found && { status: found.status, tier: found.tier, expiresAt: found.expiresAt };
      }
      case 'read usage': {
        const rows = await this.#stores.usage.rows(this.#org(command.org), 0, 1_000_000);
        return rows
          .map(({ keyId, ...row }) => ({ ...row, key: this.#number(keyId) }))
          .sort((a, b) => a.day - b.day || a.key - b.key);
      }
    }
  }

  async #reserve({ asks, giveBack }: Extract<Command, { do: 'reserve' }>): Promise<unknown[]> {
    const returned = giveBack.flatMap((place) =>
      this.#reservations.splice(place % Math.max(1, this.#reservations.length), 1),
    );
    const [outcomes] = await Promise.all([
      Promise.allSettled(
        asks.map(({ key, units }) => {
          const { orgId, keyId, firstKeyId } = this.#key(key);
          return this.#ledger.reserve(orgId, { ...askOf(keyId, units), limitsKeyId: firstKeyId });
        }),
      ),
      ...returned.map((reservation) => this.#ledger.giveBack(reservation)),
    ]);
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') return String(outcome.reason);
      this.#reservations.push(outcome.value);
      const { limits, ...receipt } = outcome.value.receipt;
      return {
        ...receipt,
        // The whole limit, of which a receipt needs only what is shown here.
        limits: this.#numbered(limits.map(({ limitId, unit, startMs }) => ({ limitId, unit, startMs }))),
      };
    });
  }

  /** The limits of an organization and of its keys. */
  async #limitsOf(orgId: string): Promise<unknown[]> {
    const chains = this.#made.filter((made) => made.orgId === orgId).map(({ firstKeyId }) => firstKeyId);
    const read = [null, ...new Set(chains)].map(async (id) => {
      const limits = await this.#ledger.readLimits(orgId, id);
      return this.#numbered(limits.map(({ keyId: _, ...limit }) => limit));
    });
    return Promise.all(read);
  }

  #add({ key, secret }: { key: KeySummary; secret: string }): void {
    const { orgId, keyId } = key;
    this.#made.push({ orgId, keyId, firstKeyId: key.firstKeyId ?? keyId, secret });
  }

  /** Replaces the ids of limits by their numbers. */
  #numbered(limits: readonly { limitId: string }[]): unknown[] {
    return limits
      .map(({ limitId, ...limit }) => ({
        ...limit,
        limit: this.#limits.findIndex((made) => made.limitId === limitId),
      }))
      .sort((a, b) => a.limit - b.limit);
  }

  #nameless<
    K extends {
      keyId: string;
      orgId: string;
      hint: string;
      rotatedFrom: string | null;
      firstKeyId: string | null;
    },
  >(key: K) {
    const { keyId, orgId: _orgId, hint: _hint, rotatedFrom, firstKeyId, ...shown } = key;
    return {
      ...shown,
      key: this.#number(keyId),
      from: rotatedFrom && this.#number(rotatedFrom),
      first: firstKeyId && this.#number(firstKeyId),
    };
  }

  #number(keyId: string): number {
    return this.#made.findIndex((made) => made.keyId === keyId);
  }

  #org(place: number): string {
    return this.#orgIds[place % this.#orgIds.length] ?? 'org_none';
  }

  #key(place: number): Made {
    const none = { orgId: 'org_none', keyId: 'key_none', firstKeyId: 'key_none', secret: 'none' };
    return this.#made[place % this.#made.length] ?? none;
  }
}
