import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import { type Standing, standingAmong, type WindowRow } from '../quota/decide.ts';
import type { Tiers } from '../quota/tiers.ts';
import { dayOf } from '../quota/window.ts';
import type { overviewIn } from '../store/overview.ts';
import { type Pace, paceDaysAt, project } from '../usage/projection.ts';
import type { RequestsOfDay } from '../usage/reports.ts';
import type { Role } from './access.ts';
import type { Organization } from './organizations.ts';

export const overviewList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text' },
  defaultSort: 'created',
  searched: ['name'],
});

/** The organizations to read: those of a user, a single one, or all. */
export type OverviewOf = { readonly userId?: string; readonly orgId?: string };

/** What the days and hours of a question are since the Unix epoch. */
export interface FiguresAsked {
  readonly pace: { readonly firstDay: number; readonly endDay: number };
  readonly firstSeriesDay: number;
  readonly firstHourToday: number;
}

/** An organization and what it has used, as stored. */
export interface OrganizationFigures extends Organization, Pace {
  readonly windows: readonly (WindowRow & { readonly kind: string })[];
  readonly lastDay: number | null;
  readonly refusedToday: number;
  /** The membership of the user whose organizations were asked for. */
  readonly role: Role | null;
  /** The owner who became a member first. */
  readonly owner: string | null;
  readonly days: readonly RequestsOfDay[];
  /** When one of its keys was last used, or a person sent a request that is in the log. */
  readonly lastRequestAt: number | null;
}

/** A row of the list. */
export interface OverviewRow extends OrganizationFigures {
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

export const seriesDays = 28;

/** Lists organizations with what they have used and when it will run out. */
export const overviewWith = (stored: ReturnType<typeof overviewIn>, tiers: Tiers, clock: Clock) => ({
  /** Throws `invalid_request`. */
  async page(of: OverviewOf, query: PageQuery): Promise<Page<OverviewRow>> {
    const request = overviewList.request(query, [of.userId ?? null, of.orgId ?? null]);
    const nowMs = clock.now();
    const today = dayOf(nowMs);
    const page = await stored.page(of, request, {
      pace: paceDaysAt(nowMs),
      firstSeriesDay: today - seriesDays + 1,
      firstHourToday: today * 24,
    });
    const forecast = (figures: OrganizationFigures): OverviewRow => {
      const limit = tiers.limitOf(figures.tier, figures.custom);
      const standing = standingAmong(figures.windows, limit, nowMs);
      return { ...figures, standing, exhaustsAtMs: project(standing, figures, nowMs)?.exhaustsAtMs ?? null };
    };
    return { ...page, data: page.data.map(forecast) };
  },
});

export type Overview = ReturnType<typeof overviewWith>;
