import type { Limit } from '../../../api/limits.ts';
import { formatCount } from '../../../lib/format.ts';

export const units: Readonly<Record<Limit['unit'], string>> = {
  requests: 'Requests',
  texts: 'Texts',
  tokens: 'Tokens',
  cost: 'Cost',
  requests_at_once: 'Requests at a time',
};

const windows = ['second', 'minute', 'hour', 'day', 'month'];

/** Returns a text for each window, such as `Each day`. */
export const windowNames = (before: string) =>
  Object.fromEntries(windows.map((window) => [window, `${before} ${window}`]));

export const millionth = 1e-6;

/** Returns a number of a unit without its name: a cost in the currency, which is the only one. */
export const formatAmount = (count: number, unit: Limit['unit']): string =>
  unit === 'cost'
    ? (count * millionth).toLocaleString('en-US', { maximumFractionDigits: 6 })
    : formatCount(count);

/** Returns, for example, `1 token`. */
export function formatUnits(count: number, unit: Limit['unit']): string {
  if (unit === 'cost') return `${formatAmount(count, unit)} in costs`;
  const name = unit === 'requests_at_once' ? 'requests' : unit;
  return `${formatCount(count)} ${count === 1 ? name.slice(0, -1) : name}`;
}

/** Returns, for example, `100,000 tokens per minute`. */
export const describeLimit = ({ amount, unit, window }: Limit): string =>
  `${formatUnits(amount, unit)} ${window === null ? 'at a time' : `per ${window}`}`;

const setters = { tier: 'of the tier', operator: 'set by the operator', organization: [] };

/** Returns, for example, `requests wait up to 30 s · of the tier`. Only the operator limits a whole organization. */
export function describeMore({
  max_wait_seconds: seconds,
  set_by,
  key_id,
  user_id,
  applies_to,
}: Limit): string {
  const isOfAll = (key_id ?? user_id) === null && applies_to === 'requests';
  const setter = isOfAll && set_by === 'operator' ? [] : setters[set_by];
  return [seconds === null ? [] : `requests wait up to ${seconds} s`, setter].flat().join(' · ');
}
