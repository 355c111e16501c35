import assert from 'node:assert/strict';
import { eventually } from '../../helpers/eventually.ts';
import { FastClient } from '../../helpers/fast-client.ts';
import { type OwnPostgres, ownedDatabase, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';
import type { RunningService } from '../../helpers/service.ts';
import { openRelay, type TcpRelay } from '../../helpers/tcp-relay.ts';
import { type Client, cachedText, type FaultLoad } from './fault-load.ts';

const organizationCount = 6;
const plenty = { amount: 100_000_000, window: 'month' } as const;

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
  /** The current replica processes. */
  readonly services: RunningService[];
  /** The results of each fault, for the table. */
  readonly figures: Figures[] = [];

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
      const { orgId, keys } = await newOrganization(replicas.core, plenty, 1);
      organizations.push({ orgId, key: keys[0]! });
    }
    const rig = new FaultRig({ postgres, adminUrl, relay, replicas, organizations });
    await rig.#compute(cachedText);
    return rig;
  }

  /** One for each organization; several share a replica. */
  clients(): Client[] {
    return this.organizations.map(({ key }, i) => ({
      key,
      address: () => this.services[i % this.services.length]!.address,
    }));
  }

  /**
   * Resolves when a new text of each organization is computed and each replica is ready, with the time that
   * the first took.
   */
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

  /** Returns what each organization has used, and checks that it is the sum of its days. */
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
    console.log(`\n${tableOf(this.figures)}\n`);
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

/** The effect of a fault on the clients. */
export interface Figures {
  readonly scenario: string;
  readonly answered: number;
  readonly failed: number;
  /** Counted without a response. */
  readonly surplus: number;
  readonly longestMs: number;
  readonly recoveryMs: number | undefined;
}

const titles = ['scenario', 'answered', 'failed', '`used`', 'longest wait', 'recovery'];

/** A table in the form of docs/ledger.md. */
function tableOf(figures: readonly Figures[]): string {
  const rows = figures.map(({ scenario, answered, failed, surplus, longestMs, recoveryMs }) => [
    scenario,
    answered.toLocaleString('en'),
    failed.toLocaleString('en'),
    surplus === 0 ? 'exact' : `+${surplus}`,
    `${(longestMs / 1_000).toFixed(2)} s`,
    recoveryMs === undefined ? '–' : `${recoveryMs.toFixed(0)} ms`,
  ]);
  const rule = titles.map(() => '---');
  return [titles, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
