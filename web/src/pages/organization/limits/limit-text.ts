import type { Limit } from '../../../api/limits.ts';
import { formatCount } from '../../../lib/format.ts';

export const units: Readonly<Record<Limit['unit'], string>> = {
  requests: 'Requests',
  texts: 'Texts',
  tokens: 'Tokens',
};

const windows: readonly Limit['window'][] = ['second', 'minute', 'hour', 'day', 'month'];

/** Returns a text for each window, such as `Each day`. */
export const windowNames = (before: string) =>
  Object.fromEntries(windows.map((window) => [window, `${before} ${window}`]));

/** Returns, for example, `1 token`. */
export const formatUnits = (count: number, unit: Limit['unit']): string =>
  `${formatCount(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;

/** Returns, for example, `100,000 tokens per minute`. */
export const describeLimit = ({ amount, unit, window }: Limit): string =>
  `${formatUnits(amount, unit)} per ${window}`;

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
