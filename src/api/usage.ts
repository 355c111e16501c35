import { type Static, Type } from 'typebox';
import { isoTime } from '../lib/clock.ts';
import { organizationList } from '../organizations/organization.ts';
import type { Standing } from '../quota/decide.ts';
import { type KeyTotals, monthReportOf, noUsage, type UsageSnapshot } from '../usage/reports.ts';
import { Count, ExternalId, Id, Nullable, PageQuery, PageResponse, response, Text } from './common.ts';
import { Quota, quotaView } from './quota.ts';
import { viewOf } from './view.ts';

export const figures = {
  counted: Count('Requests that were counted: those for which texts were computed.'),
  cached: Count('Requests that were answered without computing anything. They are not counted.'),
  failed: Count('Requests that failed or were refused. They are not counted.'),
  texts: Count('Texts in the answered requests. A crash can lose those of the last second.'),
  counted_texts: Count(
    'Texts that were counted: those that were computed. Texts from the cache are not, nor the repetitions of a text.',
  ),
  tokens: Count('Tokens in the answered requests. A crash can lose those of the last second.'),
  counted_tokens: Count('The tokens of the counted texts.'),
  truncated: Count('Texts in the answered requests that were cut at the limit of the model.'),
  cost: Count(
    'What the counted requests cost by the prices of their day, in millionths of the currency of the settings file.',
  ),
};

/** The currency of costs. */
export const Currency = Nullable(
  Text('The currency of `cost`, as ISO 4217 names it. Null: the settings file has no prices.'),
);

export const figuresView = viewOf(Type.Object(figures));

export const UsageResponse = Type.Object(
  {
    org_id: Id(),
    ...Quota.properties,
    currency: Currency,
    month: Text(
      'The calendar month (YYYY-MM, UTC) of the figures: the one that requests currently count in.',
    ),
    totals: Type.Object(figures, {
      title: 'UsageTotals',
      description: 'The usage of all keys in this month.',
    }),
    key: Type.Object(
      { key_id: Id(), ...figures },
      { title: 'KeyUsage', description: 'The usage of the calling key in this month.' },
    ),
  },
  response('Usage', 'The organization’s quota and this month’s usage.'),
);

export function usageView(
  { orgId, keyId }: { orgId: string; keyId: string },
  snapshot: UsageSnapshot,
  standing: Standing,
  currency: string | null,
): Static<typeof UsageResponse> {
  const { totals, byKey } = monthReportOf(snapshot.byKey[0] ?? []);
  const own: KeyTotals = byKey.find((key) => key.keyId === keyId) ?? { keyId, ...noUsage };
  return {
    org_id: orgId,
    ...quotaView(standing),
    currency,
    month: isoTime(snapshot.monthStartMs).slice(0, 7),
    totals: figuresView(totals),
    key: { key_id: keyId, ...figuresView(own) },
  };
}

const Day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description });

export const OrganizationUsageQuery = PageQuery(organizationList, {
  limit: Type.Optional(Type.Integer({ default: 20, description: 'From 1 to 1,000.' })),
  from: Type.Optional(Day('The first day, in UTC. Default: the first day of the month of `to`.')),
  to: Type.Optional(Day('The last day, inclusive, in UTC. Default: today.')),
});

const OrganizationUsage = Type.Object(
  {
    org_id: Id(),
    external_id: Nullable(ExternalId),
    name: Type.String(),
    tier: Text('The name of its tier now.'),
    ...figures,
  },
  { title: 'OrganizationUsage' },
);
export const organizationUsageView = viewOf(OrganizationUsage);

export const OrganizationUsageResponse = PageResponse(
  'OrganizationUsagePage',
  OrganizationUsage,
  'A page of organizations.',
  { from: Text('The first day.'), to: Text('The last day.'), currency: Currency },
);

export const modelName = Nullable(Text('Null: the requests failed before they named a served model.'));

export const UsageExportResponse = {
  description:
    'A file with one row per day, key and model, or per hour if `from` or `to` is one. Oldest first.',
  content: {
    'text/csv': {
      schema: Type.String(),
      example:
        'day,key_id,key_name,user_id,counted,cached,failed,texts,counted_texts,tokens,counted_tokens,truncated,cost,model\r\n2026-11-20,01a19672-ac20-7527-8bb1-6cefd3e9e3ee,laptop,01a19672-ac20-7527-8bb1-6cefd3e9e3ed,70,21,1,340,251,4420,3263,10,66,all-MiniLM-L6-v2\r\n',
    },
    'application/json': {
      schema: Type.Object(
        {
          object: Type.Literal('list'),
          data: Type.Array(
            Type.Object(
              {
                day: Type.Optional(Type.String()),
                hour: Type.Optional(Type.String()),
                key_id: Id(),
                key_name: Nullable(Type.String()),
                user_id: Text('The key’s user, or the user who embedded texts with a session.'),
                ...figures,
                model: modelName,
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
