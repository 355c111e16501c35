import { ServiceError } from '../../../src/errors.ts';
import { newId } from '../../../src/lib/ids.ts';
import { Ledger } from '../../../src/quota/ledger.ts';
import type { Reservation } from '../../../src/quota/ledger-store.ts';
import { countedUnits } from '../../../src/quota/limit.ts';
import { windowKinds } from '../../../src/quota/window.ts';
import type { UsageRecorder } from '../../../src/usage/recorder.ts';
import { askOf } from '../../helpers/asks.ts';
import type { TestClock } from '../../helpers/clock.ts';
import type { Random } from '../../helpers/random.ts';
import { insertLimit, lineOf, organizationRow, recorderOf } from '../../helpers/stored.ts';
import type { World } from './world.ts';

/** The figures that an organization should have. */
export interface Expected {
  cached: number;
  failed: number;
  texts: number;
  tokens: number;
  truncated: number;
  granted: number;
  givenBack: number;
  /** Requests and releases whose outcome nobody knows. */
  unknownAsks: number;
  unknownGiveBacks: number;
}

const dayMs = 86_400_000;
const jumpsMs = [1_000, 3_600_000, dayMs, 9 * dayMs, 40 * dayMs, -3_600_000, -2 * dayMs, -35 * dayMs];
const keyIds = ['key-a', 'key-b', 'key-c'];
const tiers = [
  ['free', null, null],
  ['enterprise', 7, 'day'],
  ['enterprise', 12, 'month'],
  ['enterprise', 5, 'hour'],
] as const;

/** A random life of a few organizations across all replicas. */
export class History {
  readonly living = new Map<string, Expected>();
  readonly deleted: string[] = [];
  readonly #world: World;
  readonly #clock: TestClock;
  readonly #random: Random;
  readonly #ledgers: Ledger[];
  readonly #recorders: UsageRecorder[];
  /** Each machine has its own clock. */
  readonly #aheadMs: number[];
  readonly #reservations: Reservation[] = [];

  constructor(world: World, clock: TestClock, random: Random) {
    this.#world = world;
    this.#clock = clock;
    this.#random = random;
    this.#ledgers = world.replicas.map((stores) => new Ledger(stores.ledger, clock));
    this.#recorders = world.replicas.map((stores) => recorderOf(stores.usage, () => {}));
    this.#aheadMs = world.replicas.map((_, i) => (i - 1) * random.below(600_000));
  }

  async run(turns: number): Promise<void> {
    await this.#create();
    await this.#create();
    for (let turn = 0; turn < turns; turn += 1) {
      if (this.#random.below(4) === 0) this.#clock.advance(this.#random.pick(jumpsMs));
      if (this.#random.below(30) === 0) await this.#lose();
      const acts = Array.from({ length: 1 + this.#random.below(3) }, () => this.#act());
      await Promise.all(acts);
    }
    for (const ledger of this.#ledgers) await ledger.close();
    for (const recorder of this.#recorders) {
      do await recorder.flush();
      while (recorder.waiting > 0);
    }
  }

  async #act(): Promise<void> {
    const replica = this.#random.below(this.#world.replicas.length);
    const orgId = this.#random.pick([...this.living.keys()]);
    const keyId = this.#random.pick(keyIds);
    switch (this.#random.below(11)) {
      case 0:
      case 1:
      case 2:
        return this.#ask(replica, orgId, 1 + this.#random.below(6));
      case 3:
        return this.#giveBack(replica);
      case 4:
      case 5:
        this.#record(replica, orgId, keyId);
        return;
      case 6:
        return this.#recorders[replica]!.flush();
      case 7:
        return this.#setTier(orgId);
      case 8:
        return this.#settle(replica);
      case 9:
        return this.#limit(orgId).catch((reason) => {
          // Another act can have deleted the organization meanwhile.
          if (this.living.has(orgId)) throw reason;
        });
      default:
        if (this.living.size > 1 && this.#random.below(3) === 0) return this.#delete(orgId);
        return this.#create();
    }
  }

  /** Records and asks without any confirmation. */
  async #lose(): Promise<void> {
    const replica = this.#random.below(this.#world.replicas.length);
    const orgId = this.#random.pick([...this.living.keys()]);
    this.#record(replica, orgId, this.#random.pick(keyIds));
    const write = [() => this.#recorders[replica]!.flush(), () => this.#ask(replica, orgId, 3)];
    await this.#world.losing(replica, async () => {
      await Promise.all(write.map((each) => each()));
    });
  }

  async #create(): Promise<void> {
    const orgId = newId();
    await this.#world.replicas[0]!.organizations.insert(organizationRow(orgId));
    for (const unit of ['texts', 'tokens', 'cost'] as const)
      await this.#limit(orgId, { keyId: null, unit, window: 'month', amount: 1_000_000 });
    if (this.#random.below(2) === 0) await this.#limit(orgId);
    this.living.set(orgId, {
      cached: 0,
      failed: 0,
      texts: 0,
      tokens: 0,
      truncated: 0,
      granted: 0,
      givenBack: 0,
      unknownAsks: 0,
      unknownGiveBacks: 0,
    });
  }

  async #limit(orgId: string, given: Partial<Parameters<typeof insertLimit>[1]> = {}): Promise<void> {
    await insertLimit(this.#random.pick(this.#world.replicas), {
      limitId: newId(),
      orgId,
      keyId: this.#random.pick([null, ...keyIds]),
      createdAt: 1,
      unit: this.#random.pick(countedUnits),
      window: this.#random.pick(windowKinds),
      amount: 1 + this.#random.below(40),
      ...given,
    });
  }

  async #delete(orgId: string): Promise<void> {
    this.living.delete(orgId);
    this.deleted.push(orgId);
    await this.#random.pick(this.#world.replicas).organizations.delete(orgId);
  }

  async #setTier(orgId: string): Promise<void> {
    const { organizations } = this.#world.replicas[0]!;
    if (!(await organizations.exists(orgId))) return;
    const [tier, amount, window] = this.#random.pick(tiers);
    const custom = amount === null ? null : { amount, window };
    await organizations.setTier(await organizations.get(orgId), tier, custom, []);
  }

  async #ask(replica: number, orgId: string, times: number): Promise<void> {
    const expected = this.living.get(orgId);
    const one = async (keyId: string) => {
      const units = {
        texts: 1 + this.#random.below(3),
        tokens: 1 + this.#random.below(12),
        cost: this.#random.below(9),
      };
      try {
        this.#reservations.push(await this.#ledgers[replica]!.reserve(orgId, askOf(keyId, units)));
        if (expected) expected.granted += 1;
      } catch (reason) {
        if (!(reason instanceof ServiceError)) throw reason;
        if (reason.code === 'unavailable' && expected) expected.unknownAsks += 1;
      }
    };
    const keys = Array.from({ length: times }, () => this.#random.pick(keyIds));
    await Promise.all(keys.map(one));
  }

  /** Replaces the estimated tokens of a request, if its outcome becomes known. */
  async #settle(replica: number): Promise<void> {
    const place = this.#random.below(this.#reservations.length || 1);
    const [reservation] = this.#reservations.splice(place, 1);
    if (!reservation) return;
    const settled = this.#ledgers[replica]!.settle(reservation, {
      ...reservation.units,
      tokens: this.#random.below(20),
    });
    this.#reservations.push(await settled.catch(() => reservation));
  }

  async #giveBack(replica: number): Promise<void> {
    const [reservation] = this.#reservations.splice(this.#random.below(this.#reservations.length || 1), 1);
    if (!reservation) return;
    const expected = this.living.get(reservation.orgId);
    try {
      await this.#ledgers[replica]!.giveBack(reservation);
      if (expected) expected.givenBack += 1;
    } catch {
      if (expected) expected.unknownGiveBacks += 1;
    }
  }

  #record(replica: number, orgId: string, keyId: string): void {
    const expected = this.living.get(orgId);
    const recorder = this.#recorders[replica]!;
    const at = this.#clock.now() + this.#aheadMs[replica]!;
    if (this.#random.below(3) === 0) {
      recorder.recordLine(lineOf({ orgId, keyId, at }));
      if (expected) expected.failed += 1;
      return;
    }
    const [texts, tokens] = [1 + this.#random.below(9), this.#random.below(500)];
    const figures = { texts, tokens, truncated: this.#random.below(texts + 1) };
    recorder.recordLine(lineOf({ orgId, keyId, at, outcome: 'cached', error: '', ...figures }));
    if (!expected) return;
    expected.cached += 1;
    expected.texts += texts;
    expected.tokens += tokens;
    expected.truncated += figures.truncated;
  }
}
