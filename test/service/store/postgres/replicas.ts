import { ServiceError } from '../../../../src/errors.ts';
import { fixedKeyring, generateSigningKey } from '../../../../src/keys/keyring.ts';
import { Keys } from '../../../../src/keys/keys.ts';
import { type Clock, systemClock } from '../../../../src/lib/clock.ts';
import { type Organizations, organizationsWith } from '../../../../src/organizations/organizations.ts';
import { Ledger } from '../../../../src/quota/ledger.ts';
import type { Reservation } from '../../../../src/quota/ledger-store.ts';
import type { QuotaLimit } from '../../../../src/quota/tiers.ts';
import { openPostgresStores, type PostgresOptions } from '../../../../src/service/postgres/open.ts';
import type { Stores } from '../../../../src/service/stores.ts';
import { askOf } from '../../../helpers/asks.ts';
import { monthReport } from '../../../helpers/month-report.ts';

/** What one replica has, in this process. */
export interface Replica extends AsyncDisposable {
  readonly stores: Stores;
  readonly ledger: Ledger;
  readonly keys: Keys;
  readonly organizations: Organizations;
}

/** The configuration that all replicas share. */
export const keyring = fixedKeyring([generateSigningKey()]);

/** For tests of what is decided and found. On a busy machine, the standard deadlines would end some of the calls. */
export const patient = {
  deadlines: {
    connect: 60_000,
    statement: 60_000,
    query: 60_000,
    idleInTransaction: 60_000,
    lookUp: 60_000,
  },
} satisfies PostgresOptions;

/** `clock` is the clock of this replica's machine. */
export async function openReplica(
  url: string,
  options?: PostgresOptions,
  clock: Clock = systemClock,
): Promise<Replica> {
  const stores = await openPostgresStores(url, options);
  const ledger = new Ledger(stores.ledger, clock);
  const keys = new Keys(stores.keys, keyring, clock);
  return {
    stores,
    ledger,
    keys,
    organizations: organizationsWith(stores.organizations, keys, clock),
    async [Symbol.asyncDispose]() {
      await ledger.close();
      await stores.close();
    },
  };
}

export function openReplicas(url: string, count: number, options?: PostgresOptions): Promise<Replica[]> {
  return Promise.all(Array.from({ length: count }, () => openReplica(url, options)));
}

export async function closeAll(replicas: readonly Replica[]): Promise<void> {
  await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
}

/** Creates an organization with a limit of its own. */
export async function limitedTo(
  { organizations }: Replica,
  amount: number,
  window: QuotaLimit['window'] = 'month',
): Promise<string> {
  const made = await organizations.create({ name: 'test', tier: 'enterprise', custom: { amount, window } });
  return made.orgId;
}

/** Gives an organization a limit of requests a month, beside its quota. */
export async function addLimit({ stores }: Replica, orgId: string, amount: number): Promise<void> {
  const limit = { unit: 'requests', window: 'month', amount } as const;
  await stores.limits.add(orgId, limit);
}

/** Returns the reservation, or undefined for a 429. Any other failure is thrown. */
export async function reserve({ ledger }: Replica, orgId: string, keyId: string) {
  try {
    return await ledger.reserve(orgId, askOf(keyId));
  } catch (reason) {
    if (reason instanceof ServiceError && reason.code === 'rate_limit_exceeded') return undefined;
    throw reason;
  }
}

export const isGranted = (reservation: Reservation | undefined): reservation is Reservation =>
  reservation !== undefined;

/** The counts in the ledger's row and in the keys' counters of an organization, which must always be equal. */
export async function accountsOf({ stores }: Replica, orgId: string) {
  const standings = await stores.ledger.standings(orgId, ['']);
  const report = await monthReport(stores.usage, orgId, systemClock.now());
  return { used: standings?.quota.used, counted: report.totals.counted };
}
