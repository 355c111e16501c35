import type { Ask, Quota } from '../../../src/embeddings/reservations.ts';
import { ServiceError } from '../../../src/errors.ts';

export interface CountedUnit {
  readonly orgId: string;
  readonly keyId: string;
  readonly units: Ask['units'];
}

/** A quota that remembers each unit taken and released. */
export class CountingQuota implements Quota<CountedUnit> {
  readonly reserved: CountedUnit[] = [];
  readonly givenBack: CountedUnit[] = [];
  /** The units of each organization. */
  limit = Number.POSITIVE_INFINITY;
  /** Replaced by tests to delay or fail. */
  beforeReserve: () => Promise<void> = async () => {};
  beforeGiveBack: () => Promise<void> = async () => {};

  async reserve(orgId: string, { keyId, units }: Ask): Promise<CountedUnit> {
    await this.beforeReserve();
    if (units.requests > 0 && this.usedBy(orgId) >= this.limit)
      throw new ServiceError('rate_limit_exceeded', 'Quota exhausted.');
    const unit = { orgId, keyId, units };
    this.reserved.push(unit);
    return unit;
  }

  async settle(unit: CountedUnit, tokens: number): Promise<CountedUnit> {
    return { ...unit, units: { ...unit.units, tokens } };
  }

  async giveBack(unit: CountedUnit): Promise<void> {
    await this.beforeGiveBack();
    this.givenBack.push(unit);
  }

  usedBy(orgId: string): number {
    return this.countedBy(orgId, 'requests');
  }

  countedBy(orgId: string, unit: keyof Ask['units']): number {
    const sum = (units: readonly CountedUnit[]): number =>
      units.reduce((total, counted) => total + (counted.orgId === orgId ? counted.units[unit] : 0), 0);
    return sum(this.reserved) - sum(this.givenBack);
  }

  /** How often a key took a unit, and how often it released one. */
  movesOf(keyId: string): [reserved: number, givenBack: number] {
    const ofKey = (unit: CountedUnit): boolean => unit.keyId === keyId && unit.units.requests > 0;
    return [this.reserved.filter(ofKey).length, this.givenBack.filter(ofKey).length];
  }
}
