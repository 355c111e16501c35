import { type Static, Type } from 'typebox';
import { remainingOf, type Standing } from '../quota/decide.ts';
import { countedUnits } from '../quota/limit.ts';
import { windowKinds } from '../quota/window.ts';
import { Choice, Count, Nullable, Timestamp, Whole } from './common.ts';
import { viewOf } from './view.ts';

export const Quota = Type.Object(
  {
    limit: Nullable(Whole('Units per window. Null: unlimited.')),
    used: Count('Units counted in this window.'),
    remaining: Nullable(Count('Null: unlimited.')),
    unit: Choice(countedUnits, 'What the tier’s limit counts.'),
    window: Choice(windowKinds, 'A calendar window, in UTC.'),
    resets_at: Timestamp,
  },
  { title: 'Quota' },
);
export type Quota = Static<typeof Quota>;

const view = viewOf(Quota);

export function quotaView(standing: Standing): Quota {
  return view({ ...standing, remaining: remainingOf(standing), resetsAt: standing.resetsAtMs });
}
