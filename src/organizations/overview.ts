import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import { type Standing, standingAmong } from '../quota/decide.ts';
import type { Tiers } from '../quota/tiers.ts';
import { dayOf } from '../quota/window.ts';
import { paceDaysAt, project } from '../usage/projection.ts';
import type { OrganizationFigures, OverviewOf, overviewIn } from './stored-overview.ts';

export const overviewList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text' },
  defaultSort: 'created',
  searched: ['name'],
});

/** A row of the list. */
export interface OverviewRow extends OrganizationFigures {
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

export const seriesDays = 28;

/** Lists organizations with what they have used and when it will run out. */
export const overviewWith = (stored: ReturnType<typeof overviewIn>, tiers: Tiers, clock: Clock) => ({
  /** Throws `invalid_request`. */
  async page(of: OverviewOf, query: PageQuery, withFigures = true): Promise<Page<OverviewRow>> {
    const request = overviewList.request(query, [of.userId ?? null, of.orgId ?? null, of.externalId ?? null]);
    const nowMs = clock.now();
    const today = dayOf(nowMs);
    const days = { firstSeriesDay: today - seriesDays + 1, firstHourToday: today * 24 };
    const page = await stored.page(of, request, withFigures ? { pace: paceDaysAt(nowMs), ...days } : null);
    const forecast = (figures: OrganizationFigures): OverviewRow => {
      const limit = tiers.limitOf(figures.tier, figures.custom);
      const standing = standingAmong(figures.windows, limit, nowMs);
      return { ...figures, standing, exhaustsAtMs: project(standing, figures, nowMs)?.exhaustsAtMs ?? null };
    };
    return { ...page, data: page.data.map(forecast) };
  },
});

export type Overview = ReturnType<typeof overviewWith>;
