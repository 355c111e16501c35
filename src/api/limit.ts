import { type Static, Type } from 'typebox';
import { type ListedLimit, limitSetters, limitUnits, limitUses, maxAmount } from '../quota/limit.ts';
import { type LimitWindow, windowKinds } from '../quota/window.ts';
import { Choice, Count, Id, List, Nullable, OrgParams, response, Text, Timestamp, Whole } from './common.ts';
import { viewOf } from './view.ts';

export const Limit = Type.Object(
  {
    limit_id: Id(),
    key_id: Nullable(
      Id(
        'The key that the limit applies to, together with the keys that replace it by rotation. If this and ' +
          '`user_id` are null, the limit applies to all requests of the organization.',
      ),
    ),
    user_id: Nullable(
      Text(
        'The user that the limit applies to: to all requests with keys that have this `user_id`, and to those that a ' +
          'person sends with a session.',
      ),
    ),
    applies_to: Choice(
      limitUses,
      '`new_keys`: the limit counts nothing, and every key that is created from now on gets one like it.',
    ),
    unit: Choice(
      limitUnits,
      'What the limit counts. Texts and tokens are those that are computed, not those from the cache. `cost`: what ' +
        'they cost, in millionths of the currency of the settings file. `requests_at_once`: requests in progress, ' +
        'which each server counts for itself.',
    ),
    window: Nullable(
      Choice(
        windowKinds,
        'A calendar window in UTC. Null for `requests_at_once`, and only for it: it counts what is in progress.',
      ),
    ),
    amount: Whole('The maximum number of units in each window, or of requests at a time.', {
      minimum: 1,
      maximum: maxAmount,
    }),
    max_wait_seconds: Nullable(
      Whole(
        'How long a request waits for the next window, or for the end of another request, before it is refused. Only ' +
          'for a window of a second or a minute, and for `requests_at_once`. Null: it is refused at once.',
        { minimum: 1, maximum: 60 },
      ),
    ),
    set_by: Choice(
      limitSetters,
      '`tier`: the settings file gives it to all organizations of the tier, and nobody else changes it. `operator`: ' +
        'those who administer the installation have set it, and only they change it.',
    ),
    used: Count('The units used in the current window. More than `amount` if the amount was lowered.'),
    resets_at: Nullable(Timestamp),
  },
  { title: 'Limit' },
);
export type Limit = Static<typeof Limit>;

/** The limit of the key or the person in a row. */
export const FullestLimit = Nullable(Limit);

export const fullestView = (limit: ListedLimit | undefined): Limit | null =>
  limit ? limitView(limit, noneInProgress) : null;

const view = viewOf(Limit);

export const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

/** Returns the window as the API states it. */
export const windowOf = (window: LimitWindow) => (window === 'none' ? null : window);

/** For limits of windows. */
export const noneInProgress = (): number => 0;

/** `inProgress` returns how many requests a limit of requests at a time counts now. */
export function limitView(limit: ListedLimit, inProgress: (limitId: string) => number): Limit {
  const { maxWaitMs, resetsAtMs, limitId } = limit;
  const window = windowOf(limit.window);
  const now = window === null ? { used: inProgress(limitId), resetsAt: null } : { resetsAt: resetsAtMs };
  return view({ ...limit, ...now, window, maxWaitSeconds: secondsOf(maxWaitMs) });
}

export const LimitParams = Type.Object({ ...OrgParams.properties, limit_id: Id() });

export const LimitQuery = Type.Object({
  key_id: Type.Optional(
    Id('Lists the limits of this key. Without any parameter, lists those of the organization itself.'),
  ),
  user_id: Type.Optional(Text('Lists the limits of this user.')),
  applies_to: Type.Optional(Choice(limitUses, '`new_keys`: lists the limits that new keys get.')),
});

export const LimitResponse = Type.Object(Limit.properties, response('Limit', 'The limit.'));

export const LimitListResponse = List(
  'LimitList',
  Limit,
  'The limits of the organization, the key, the user or new keys: at most one of each unit, window and setter.',
);

export const CreateLimitRequest = Type.Object(
  {
    key_id: Type.Optional(Limit.properties.key_id),
    user_id: Type.Optional(Limit.properties.user_id),
    applies_to: Type.Optional(Limit.properties.applies_to),
    unit: Limit.properties.unit,
    window: Type.Optional(Limit.properties.window),
    amount: Limit.properties.amount,
    max_wait_seconds: Type.Optional(Limit.properties.max_wait_seconds),
  },
  {
    title: 'NewLimit',
    examples: [
      { unit: 'tokens', window: 'minute', amount: 100_000 },
      { unit: 'requests', window: 'second', amount: 10, max_wait_seconds: 30 },
      { key_id: '01a19672-0b1c-7a8a-a3f6-5a2f0c3f3c11', unit: 'requests', window: 'day', amount: 1_000 },
      { user_id: '01a19672-0b1c-7a8a-a3f6-5a2f0c3f3c12', unit: 'tokens', window: 'month', amount: 5_000_000 },
      { applies_to: 'new_keys', unit: 'requests', window: 'minute', amount: 600 },
      { unit: 'requests_at_once', amount: 8, max_wait_seconds: 30 },
    ],
  },
);

export const UpdateLimitRequest = Type.Object(
  { amount: Limit.properties.amount },
  { title: 'LimitChanges', examples: [{ amount: 200_000 }] },
);
