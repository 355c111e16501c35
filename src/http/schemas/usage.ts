import { type Static, Type } from 'typebox';
import { Id, Nullable, Timestamp } from './common.ts';
import { Figures, Quota } from './organizations.ts';

const Day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description });

const period = {
  from: Type.Optional(Day('The first day, UTC. Default: the first of the month of `to`.')),
  to: Type.Optional(Day('The last day, UTC, itself included. Default: today.')),
  key_id: Type.Optional(Id('One key alone.')),
};

export const UsageQuery = Type.Object({
  ...period,
  by: Type.Optional(Type.Enum(['day', 'month'], { type: 'string', default: 'day' })),
});
export type UsageQuery = Static<typeof UsageQuery>;

export const ExportQuery = Type.Object({
  ...period,
  format: Type.Optional(Type.Enum(['csv', 'json'], { type: 'string', default: 'csv' })),
});

const Totals = Type.Object(Figures, { title: 'UsageTotals', description: 'Of all keys, in this time.' });

const KeyShare = Type.Object(
  {
    key_id: Id('A key, even if it was revoked; or a user, for what they embedded with a session.'),
    name: Nullable(Type.String({ description: 'null: not a key of today.' })),
    hint: Nullable(Type.String()),
    status: Nullable(Type.Enum(['active', 'revoked'], { type: 'string' })),
    ...Figures,
    share: Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Of the counted requests.' })),
    trend: Nullable(
      Type.Number({
        description:
          'Counted requests against as many days before: 0.5 is half as many again, -0.5 half. null: none before.',
      }),
    ),
  },
  { title: 'KeyShare' },
);

const Projection = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    counted: Type.Integer({ minimum: 0, description: 'Requests counted between `from` and `to`.' }),
    per_day: Type.Number({ description: 'The pace that this is, which is taken to go on.' }),
    used_at_reset: Type.Integer({ description: 'What would be counted by the reset.' }),
    exhausts_at: Nullable(Type.String({ format: 'date-time', description: 'null: not before the reset.' })),
    explanation: Type.String({ description: 'The same in words.' }),
  },
  { title: 'Projection', description: 'Where the quota is heading, and how that was reckoned.' },
);

const exampleTotals = { counted: 70, cached: 21, failed: 1, texts: 340, tokens: 4_420 };

export const UsageReportResponse = Type.Object(
  {
    org_id: Id(),
    from: Type.String(),
    to: Type.String(),
    by: Type.Enum(['day', 'month'], { type: 'string' }),
    quota: Quota,
    totals: Totals,
    series: Type.Array(
      Type.Object(
        {
          period: Type.String({ description: '`YYYY-MM-DD` or `YYYY-MM`, UTC.' }),
          ...Figures,
        },
        { title: 'UsagePeriod' },
      ),
      { description: 'Every day or month, those without usage as well.' },
    ),
    keys: Type.Array(KeyShare, { description: 'The key that used most first.' }),
    projection: Nullable(Projection),
  },
  {
    title: 'UsageReport',
    'x-response-description': 'What was used; `projection` is null where there is too little to go by.',
    examples: [
      {
        org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
        from: '2026-11-20',
        to: '2026-11-20',
        by: 'day',
        quota: {
          limit: 10_000,
          used: 8_400,
          remaining: 1_600,
          window: 'month',
          resets_at: '2026-12-01T00:00:00.000Z',
        },
        totals: exampleTotals,
        series: [{ period: '2026-11-20', ...exampleTotals }],
        keys: [
          {
            key_id: '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
            name: 'laptop',
            hint: 'sk_…9f3c',
            status: 'active',
            ...exampleTotals,
            share: 1,
            trend: -0.3,
          },
        ],
        projection: {
          from: '2026-11-14T00:00:00.000Z',
          to: '2026-11-20T12:00:00.000Z',
          counted: 2_600,
          per_day: 400,
          used_at_reset: 12_600,
          exhausts_at: '2026-11-24T12:00:00.000Z',
          explanation:
            '2600 requests were counted since 2026-11-14, 400 a day. At this pace the quota ends on 2026-11-24.',
        },
      },
    ],
  },
);

export const UsageExportResponse = {
  description: 'Each key’s each day, oldest first: a file.',
  content: {
    'text/csv': {
      schema: Type.String(),
      example:
        'day,key_id,key_name,counted,cached,failed,texts,tokens\r\n2026-11-20,01a19672-ac20-7527-8bb1-6cefd3e9e3ee,laptop,70,21,1,340,4420\r\n',
    },
    'application/json': {
      schema: Type.Object(
        {
          object: Type.Literal('list'),
          data: Type.Array(
            Type.Object(
              {
                day: Type.String(),
                key_id: Id(),
                key_name: Nullable(Type.String()),
                ...Figures,
              },
              { title: 'UsageRow' },
            ),
          ),
        },
        { title: 'UsageExport' },
      ),
    },
  },
};
