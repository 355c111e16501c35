import { choice, type Fields, refuse, valid, whole } from '../../packages/small/src/settings.ts';
import { areThresholds, thresholdsRule } from '../alerts/alert.ts';
import { type LimitOfTier, limitUnits, limitUses, maxAmount, quotaUnits } from '../quota/limit.ts';
import { defaultWeight, standardTiers, type Tier, Tiers } from '../quota/tiers.ts';
import { canWaitFor, type LimitWindow, windowKinds } from '../quota/window.ts';

// Names are used in SQL text, in tokens and on the command line.
const nameForm = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const unlimited = 'unlimited';
const maxPriceLength = 50;
const name = valid(
  (text) => nameForm.test(text),
  'has characters other than a to z, 0 to 9, - and _, or more than 32',
  'team',
);
const price = valid(
  (text) => text.length <= maxPriceLength && !/\p{Cc}/u.test(text),
  `is longer than ${maxPriceLength} characters, or has unprintable characters`,
  '$29',
);
const unit = choice(quotaUnits, 'requests');
const weight = whole(defaultWeight, 1, 1_000);
const example = '[{name: team, limit: 500000, price: $0}]';

/**
 * Returns the tiers of the settings file, or the standard ones. `chosen` is DEFAULT_TIER, the tier of new
 * organizations. Throws a ConfigError at the first invalid value.
 */
export function readTiers(chosen: string | null, file: Fields | null): Tiers {
  const all = file?.has('tiers') ? fileTiers(file) : standardTiers.all;
  if (chosen === null) return new Tiers(all);
  if (all.some(({ name }) => name === chosen)) return new Tiers(all, chosen);
  const names = all.map(({ name }) => name);
  return refuse('DEFAULT_TIER', `"${chosen}" is not one of ${names.join(', ')}`, names[0]!);
}

function fileTiers(file: Fields): Tier[] {
  const tiers = file.entries('tiers', example, 'name: team').map((fields): Tier => {
    const tier = {
      name: fields.read('name', name) ?? fields.fail('name', 'is missing', 'team'),
      monthlyLimit: limit(fields),
      unit: fields.read('unit', unit),
      price: fields.read('price', price),
      takesCustomLimit: fields.flag('custom_limits'),
      weight: fields.read('weight', weight),
      limits: limitsOf(fields),
      thresholds: thresholdsOf(fields),
    };
    fields.end();
    return tier;
  });
  const names = tiers.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) file.fail('tiers', `names "${twice}" twice`, example);
  return tiers;
}

/**
 * Returns the units per month; null means unlimited. The file must say `unlimited`, so that a limit can't be left
 * out by accident.
 */
function limit(fields: Fields): number | null {
  if (fields.is('limit', unlimited)) return null;
  const found = fields.read('limit', whole(null, 0, maxAmount));
  return found ?? fields.fail('limit', `is missing; write ${unlimited} for no limit`, '500000');
}

const limitsExample = '[{unit: requests, window: minute, amount: 600}]';

/** Returns the limits that a tier has beside its quota. Throws a ConfigError if two of them count the same. */
function limitsOf(tier: Fields): LimitOfTier[] {
  if (!tier.has('limits')) return [];
  const limits = tier.entries('limits', limitsExample, 'unit: requests').map((fields): LimitOfTier => {
    const unit = fields.read('unit', choice(limitUnits, 'requests'));
    const window: LimitWindow =
      unit === 'requests_at_once'
        ? 'none'
        : (fields.read('window', choice(windowKinds, null)) ?? fields.fail('window', 'is missing', 'minute'));
    const maxWaitMs = fields.read('max_wait_seconds', whole(null, 1, 60, 1_000));
    if (maxWaitMs !== null && !canWaitFor(window))
      fields.fail('max_wait_seconds', 'is for a window of a second or a minute', 10);
    const limit = {
      appliesTo: fields.read('applies_to', choice(limitUses, 'requests')),
      unit,
      window,
      amount: fields.read('amount', whole(null, 1, maxAmount)) ?? fields.fail('amount', 'is missing', '600'),
      maxWaitMs,
    };
    fields.end();
    return limit;
  });
  const kinds = limits.map(({ appliesTo, unit, window }) => `${appliesTo} ${unit} ${window}`);
  if (new Set(kinds).size < kinds.length)
    tier.fail('limits', 'has two limits of the same unit and window', limitsExample);
  return limits;
}

function thresholdsOf(tier: Fields): readonly number[] {
  if (!tier.has('thresholds')) return [];
  const given = tier.list('thresholds', '[80, 100]');
  return areThresholds(given)
    ? given
    : tier.fail('thresholds', `is not a list of ${thresholdsRule}`, '[80, 100]');
}
