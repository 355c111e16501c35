import { type Static, Type } from 'typebox';
import { type Lifecycle, maxCallers } from '../embeddings/lifecycle.ts';
import type { KeySummary } from '../keys/key.ts';
import { isoTime } from '../lib/clock.ts';
import type { Standing } from '../quota/decide.ts';
import type { GroupUsage, Latency } from '../usage/hourly-report.ts';
import { dayText } from '../usage/period.ts';
import type { Projection as ProjectionRecord } from '../usage/projection.ts';
import type { CallerTotals, ModelTotals, UsageTotals } from '../usage/reports.ts';
import { type Grouping, groupings } from '../usage/request-log.ts';
import type { KeyShare as KeyShareRecord } from '../usage/usage-report.ts';
import {
  Choice,
  Count,
  Flag,
  Id,
  List,
  Many,
  Nullable,
  response,
  Text,
  Timestamp,
  time,
  UserText,
  Whole,
} from './common.ts';
import { Limit } from './limit.ts';
import { Quota } from './quota.ts';
import { Currency, figures, figuresView, modelName } from './usage.ts';
import { viewOf } from './view.ts';

const DayOrHour = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:00(:00(\\.000)?)?Z)?$', description });

const period = {
  from: Type.Optional(
    DayOrHour('The first day or whole hour, in UTC. Default: the first day of the month of `to`.'),
  ),
  to: Type.Optional(
    DayOrHour('The last day, inclusive, or a whole hour, exclusive, in UTC. Default: today, or this hour.'),
  ),
  key_id: Type.Optional(Id('Reports only this key.')),
  user_id: Type.Optional(UserText('Reports only the keys of this user, and what they sent with a session.')),
};

export const UsageReportQuery = Type.Object({
  ...period,
  by: Type.Optional(
    Choice(
      ['hour', 'day', 'month'],
      '`hour` is possible for the last 35 days, and the only one if `from` or `to` is an hour.',
      'day',
    ),
  ),
  group: Type.Optional(Choice(groupings, 'Adds `groups`: the usage of each key, user or model over time.')),
  compare: Type.Optional(
    Choice(['previous'], 'Adds `previous`: the usage of the preceding period of the same length over time.'),
  ),
  max_keys: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'How many keys to list, with the highest usage. All by default.',
    }),
  ),
});

export const UsageExportQuery = Type.Object({
  ...period,
  format: Type.Optional(
    Type.Enum(['csv', 'excel', 'json'], {
      type: 'string',
      default: 'csv',
      description: '`excel`: CSV with a byte order mark, without which Excel shows other letters for `ö`.',
    }),
  ),
});

const KeyShare = Type.Object(
  {
    key_id: Id('A key, which may be revoked, or a user who embedded texts with a session.'),
    name: Nullable(Text('Null: not an existing key.')),
    user_id: Nullable(Text('The key’s user. Null: not an existing key.')),
    hint: Nullable(Type.String()),
    status: Nullable(Choice(['active', 'revoked'])),
    ...figures,
    share: Nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'The key’s share of all counted requests.' }),
    ),
    trend: Nullable(
      Type.Number({
        description:
          'Change of the counted requests against the preceding period of the same length: 0.5 means 50 % ' +
          'more, -0.5 half as many. Null: no requests were counted before, or the organization was not used in the ' +
          'first half of that period.',
      }),
    ),
  },
  { title: 'KeyShare' },
);

const keyShare = viewOf(KeyShare);
const noKey = { name: null, userId: null, hint: null, status: null };

export const keyShareView = (share: KeyShareRecord, key: KeySummary | undefined) =>
  keyShare({ ...(key ?? noKey), ...share });

const ModelUsage = Type.Object({ model: modelName, ...figures }, { title: 'ModelUsage' });

const day = Type.String({ format: 'date' });

const DeprecatedUsage = Type.Object(
  {
    model: Type.String(),
    deprecated: Nullable(day),
    sunset: Nullable(day),
    replacement: Nullable(Text('The model to use instead.')),
    org_id: Id(),
    org_name: Type.String(),
    key_id: Id(),
    name: Nullable(Text('Null: not an existing key.')),
    last_day: Type.String({ format: 'date', description: 'The last day with usage.' }),
    ...figures,
  },
  { title: 'DeprecatedUsage' },
);

export function callerView(
  { orgId, orgName, keyId, keyName: name, lastDay, model, ...totals }: CallerTotals,
  plans: Lifecycle,
): Static<typeof DeprecatedUsage> {
  const of = { org_id: orgId, org_name: orgName, key_id: keyId, name };
  return { model, ...plans, ...of, last_day: dayText(lastDay), ...figuresView(totals) };
}

const Projection = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    counted: Count('Requests counted between `from` and `to`.'),
    per_day: Type.Number({ description: 'The average per day, which the forecast continues.' }),
    used_at_reset: Whole('The forecast of counted requests at the reset.'),
    exhausts_at: Nullable(time('Null: the quota lasts until the reset.')),
    explanation: Text('The forecast in words.'),
  },
  { title: 'Projection', description: 'A forecast of the quota, and the figures that it is based on.' },
);

/** Returns the name of a model, or null for usage without one. */
export function modelUsageView({ model, ...totals }: ModelTotals): Static<typeof ModelUsage> {
  return { model: model || null, ...figuresView(totals) };
}

export function projectionView(projection: ProjectionRecord, { limit }: Standing): Static<typeof Projection> {
  const { fromMs, toMs, counted, perDay, usedAtReset, exhaustsAtMs } = projection;
  const [from, pace] = [isoTime(fromMs).slice(0, 10), Math.round(perDay * 10) / 10];
  const outcome =
    exhaustsAtMs !== null
      ? `At this rate you’ll reach your limit on ${isoTime(exhaustsAtMs).slice(0, 10)}.`
      : limit === null
        ? `At this rate you’ll have used ${usedAtReset} requests by the reset.`
        : `At this rate you’ll have used ${usedAtReset} of ${limit} requests by the reset.`;
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    counted,
    per_day: pace,
    used_at_reset: usedAtReset,
    exhausts_at: isoTime(exhaustsAtMs),
    explanation: `${counted} requests have been counted since ${from} (${pace} per day). ${outcome}`,
  };
}

const Latencies = Type.Object(
  {
    p50_ms: Type.Number({ description: 'Half of the requests with a result took at most so long.' }),
    p95_ms: Type.Number({ description: '95 % of the requests with a result took at most so long.' }),
  },
  {
    title: 'LatencySummary',
    description: 'From the counts of classes of latency, each 25 % wider than the one before.',
  },
);
const LatencySummary = Nullable(Latencies);
const latencies = viewOf(Latencies);

export const latencyView = (latency: Latency | null) => latency && latencies(latency);

const periodLabel = Text('`YYYY-MM-DDTHH:00`, `YYYY-MM-DD` or `YYYY-MM`, UTC.');
const UsagePeriod = Type.Object({ period: periodLabel, ...figures }, { title: 'ComparedPeriod' });

export const periodView = ({ label, ...totals }: UsageTotals & { label: string }) => ({
  period: label,
  ...figuresView(totals),
});

const { truncated: _, ...groupFigures } = UsagePeriod.properties;
const GroupPeriod = Type.Object(groupFigures, { title: 'GroupPeriod' });
const groupPeriod = viewOf(GroupPeriod);
const UsageGroup = Type.Object(
  {
    key_id: Nullable(Id('A key, or a user who embedded texts with a session.')),
    user_id: Nullable(
      Text('A user. The keys that were deleted long ago have none: each is a group by its identifier.'),
    ),
    model: Nullable(Type.String()),
    name: Nullable(Text('The name of the key or the model, if it has one.')),
    is_others: Flag('Whether these are all groups that are not listed, together.'),
    series: Many(GroupPeriod, 'Without the periods that have no usage.'),
  },
  { title: 'UsageGroup' },
);

export function groupView(
  { name, series }: GroupUsage,
  by: Grouping,
  keys: ReadonlyMap<string, KeySummary>,
): Static<typeof UsageGroup> {
  const model = by === 'model' ? name || null : null;
  return {
    key_id: by === 'key' ? name : null,
    user_id: by === 'user' ? name : null,
    model,
    name: by === 'key' ? (keys.get(name ?? '')?.name ?? null) : model,
    is_others: name === null,
    series: series.map(({ label: period, ...totals }) => groupPeriod({ ...totals, period })),
  };
}

export const UsageReportResponse = Type.Object(
  {
    org_id: Id(),
    from: Text('The first day, or hour.'),
    to: Text('The last day, or the end of the last hour.'),
    by: Choice(['hour', 'day', 'month']),
    quota: Quota,
    totals: Type.Object(figures, {
      title: 'UsageTotals',
      description: 'The usage of all keys in this period.',
    }),
    series: Many(
      Type.Object({ period: periodLabel, ...figures, latency: LatencySummary }, { title: 'UsagePeriod' }),
      'Every hour, day or month, including those without usage. With `by=hour`, `truncated` is 0: it is kept by day.',
    ),
    previous: Type.Optional(Many(UsagePeriod, 'Only with `compare`.')),
    groups: Type.Optional(
      Many(
        UsageGroup,
        'Only with `group`: the five groups with the most requests, then all others together.',
      ),
    ),
    latency: LatencySummary,
    errors: Many(
      Type.Object({ error: Type.String(), requests: Type.Integer() }, { title: 'ErrorCount' }),
      'The errors of the requests in the last 35 days of the period, most first.',
    ),
    keys: Many(KeyShare, 'Ordered by usage, highest first. At most `max_keys`.'),
    key_count: Count('The number of keys with usage.'),
    currency: Currency,
    models: Many(ModelUsage, 'The usage of each model. Ordered by usage, highest first.'),
    limits: Many(Limit, 'The limits of the organization, or with `key_id` those that apply to the key.'),
    projection: Nullable(Projection),
  },
  response('UsageReport', 'The usage. `projection` is null if there is not enough data for a forecast.'),
);

export const DeprecatedUsageResponse = List(
  'DeprecatedUsageList',
  DeprecatedUsage,
  `At most ${maxCallers} rows.`,
);
