import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../helpers/eventually.ts';
import { FastClient } from '../../helpers/fast-client.ts';
import { type OwnPostgres, ownedDatabase, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';
import type { RunningService } from '../../helpers/service.ts';
import { openRelay, type TcpRelay } from '../../helpers/tcp-relay.ts';
import { type Client, cachedText, type FaultLoad, type Met, startFaultLoad } from './fault-load.ts';
import { type Figures, tableOf } from './fault-table.ts';

const organizationCount = 6;
const warmUpMs = 1_000;
const afterwardsMs = 1_000;
const plenty = { requests: 100_000_000, window: 'month' } as const;

/** Breaks something, and resolves to what mends it. */
export type Fault = () => Promise<(() => unknown) | undefined>;

/** Organization by organization. */
export interface Survived {
  /** While it was broken. */
  readonly meanwhile: readonly Met[];
  /** Before, while and after it was broken. */
  readonly met: readonly Met[];
}

interface Organization {
  readonly orgId: string;
  readonly key: string;
}

/** Replica processes on a Postgres of their own, with the relay in between, and organizations that use them. */
export class FaultRig implements AsyncDisposable {
  readonly postgres: OwnPostgres;
  readonly adminUrl: string;
  readonly relay: TcpRelay;
  readonly replicas: Replicas;
  readonly organizations: readonly Organization[];
  /** The replicas as they run now. */
  readonly services: RunningService[];
  readonly #figures: Figures[] = [];

  private constructor(
    parts: Pick<FaultRig, 'postgres' | 'adminUrl' | 'relay' | 'replicas' | 'organizations'>,
  ) {
    this.postgres = parts.postgres;
    this.adminUrl = parts.adminUrl;
    this.relay = parts.relay;
    this.replicas = parts.replicas;
    this.organizations = parts.organizations;
    this.services = [...parts.replicas.services];
  }

  static async open(replicaCount: number): Promise<FaultRig> {
    const postgres = await startPostgres({ durable: true });
    const { url, adminUrl } = await ownedDatabase(postgres);
    const relay = await openRelay(url);
    const replicas = await startReplicas(relay.url, replicaCount, { LOG_LEVEL: 'fatal' });
    const organizations: Organization[] = [];
    for (let i = 0; i < organizationCount; i++) {
      const { orgId, keys } = await newOrganization(replicas.gate, plenty, 1);
      organizations.push({ orgId, key: keys[0]! });
    }
    const rig = new FaultRig({ postgres, adminUrl, relay, replicas, organizations });
    await rig.#compute(cachedText);
    return rig;
  }

  /** One for each organization; a replica is shared by several. */
  clients(): Client[] {
    return this.organizations.map(({ key }, i) => ({
      key,
      address: () => this.services[i % this.services.length]!.address,
    }));
  }

  /**
   * Has the clients ask before, while and after something is broken for `lastsMs`, and checks what must hold then. The figures go
   * into the table.
   */
  async survives(
    scenario: string,
    fault: Fault,
    { lastsMs = 0, withCached = true }: { lastsMs?: number; withCached?: boolean } = {},
  ): Promise<Survived> {
    const usedBefore = await this.used();
    const load = startFaultLoad(this.clients(), { withCached });
    let recoveryMs: number | undefined;
    let meanwhile: Met[] = [];
    try {
      await setTimeout(warmUpMs);
      const mend = await fault();
      const begun = load.met.map((met) => ({ ...met }));
      await setTimeout(lastsMs);
      meanwhile = load.met.map((met, i) => since(begun[i]!, met));
      await mend?.();
      recoveryMs = await this.worksAgain(load);
      await setTimeout(afterwardsMs);
    } finally {
      await load.stop();
    }
    const used = await this.used();
    const counted = used.map((sum, i) => sum - usedBefore[i]!);
    load.met.forEach(({ computed, failed }, i) => {
      const told = `organization ${i}: ${computed} computed, ${failed} failed, ${counted[i]} counted`;
      assert.ok(computed <= counted[i]! && counted[i]! <= computed + failed, told);
    });
    assert.deepEqual(load.unexpected, []);
    const sum = (of: (met: FaultLoad['met'][number]) => number) =>
      load.met.reduce((all, met) => all + of(met), 0);
    this.#figures.push({
      scenario,
      answered: sum(({ computed, cached }) => computed + cached),
      failed: sum(({ failed, cachedFailed }) => failed + cachedFailed),
      surplus: counted.reduce((all, one) => all + one, 0) - sum(({ computed }) => computed),
      longestMs: Math.max(...load.met.map(({ longestMs }) => longestMs)),
      recoveryMs,
    });
    return { meanwhile, met: load.met };
  }

  /** Resolves when a new text of each organization is computed and each replica is ready, to how long the first took. */
  async worksAgain(load: FaultLoad): Promise<number> {
    const tookMs = await Promise.all(
      this.organizations.map((_, place) => eventually(() => load.sendNew(place))),
    );
    using http = new FastClient();
    for (const { address } of this.services) {
      await eventually(async () => (await http.get(`${address}/ready`)).status === 200);
    }
    return Math.max(...tookMs);
  }

  /** What each organization has used, which must be the sum of its days. */
  async used(): Promise<number[]> {
    using http = new FastClient();
    const usages = this.organizations.map(async ({ key }) => {
      const { status, body } = await http.get(`${this.services[0]!.address}/v1/usage`, key);
      assert.equal(status, 200, body);
      const { used, totals } = JSON.parse(body) as { used: number; totals: { counted: number } };
      assert.equal(used, totals.counted);
      return used;
    });
    return await Promise.all(usages);
  }

  printTable(): void {
    console.log(`\n${tableOf(this.#figures)}\n`);
  }

  async #compute(text: string): Promise<void> {
    using http = new FastClient();
    for (const { address } of this.services) {
      for (const { key } of this.organizations) {
        assert.equal((await http.embed(address, key, text)).status, 200);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.relay.mend();
    this.relay.delay(0);
    await Promise.all(this.services.map((service) => service[Symbol.asyncDispose]()));
    await this.replicas[Symbol.asyncDispose]();
    await this.relay[Symbol.asyncDispose]();
    await this.postgres[Symbol.asyncDispose]();
  }
}

function since(begun: Met, met: Met): Met {
  return {
    computed: met.computed - begun.computed,
    cached: met.cached - begun.cached,
    failed: met.failed - begun.failed,
    cachedFailed: met.cachedFailed - begun.cachedFailed,
    longestMs: met.longestMs,
  };
}
