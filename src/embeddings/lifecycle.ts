import type { Model } from '../../packages/engine/src/index.ts';

/** What the operator plans for a model. The days are in UTC, such as `2027-01-31`. */
export interface Lifecycle {
  readonly deprecated: string | null;
  /** The day from which the model's requests are refused. */
  readonly sunset: string | null;
  /** The name of the model to use instead. */
  readonly replacement: string | null;
}

/** The days of a report on the callers of deprecated models, and how many rows it has at most. */
export const callerDays = 30;
export const maxCallers = 1_000;

export function lifecycleOf({ facts }: Pick<Model, 'facts'>): Lifecycle {
  const { deprecated = null, sunset = null, replacement = null } = facts ?? {};
  return { deprecated, sunset, replacement };
}

/** Returns `retired` from the sunset on, and `deprecated` from the day of the deprecation until then. */
export function statusOf({ deprecated, sunset }: Lifecycle, nowMs: number) {
  if (sunset !== null && Date.parse(sunset) <= nowMs) return 'retired';
  return deprecated !== null && Date.parse(deprecated) <= nowMs ? 'deprecated' : 'active';
}

/** Returns `Deprecation` of RFC 9745 and `Sunset` of RFC 8594. Both can state a day in the future. */
export function lifecycleHeaders({ deprecated, sunset }: Lifecycle): Record<string, string> {
  return {
    ...(deprecated !== null && { deprecation: `@${Date.parse(deprecated) / 1_000}` }),
    ...(sunset !== null && { sunset: new Date(sunset).toUTCString() }),
  };
}

/** Returns the plans for the models that have any, by the models' names. */
export function plansOf(models: readonly Pick<Model, 'name' | 'facts'>[]): Map<string, Lifecycle> {
  const plans = models.map((model) => [model.name, lifecycleOf(model)] as const);
  return new Map(plans.filter(([, { deprecated, sunset }]) => deprecated !== null || sunset !== null));
}
