import type { Clock } from '../lib/clock.ts';
import { foldCase, type Page, type PageQuery, type PageRequest, type SortValue } from '../lib/page.ts';
import { cursorAfter, PagedList } from '../lib/paged-list.ts';
import { type Standing, standingAmong, type WindowRow } from '../quota/decide.ts';
import type { Tiers } from '../quota/tiers.ts';
import { dayOf } from '../quota/window.ts';
import { type Pace, paceDaysAt, project } from '../usage/projection.ts';
import type { RequestsOfDay } from '../usage/reports.ts';
import type { Role } from './access.ts';
import type { Organization } from './organizations.ts';

/** What `standing` can list. `at_risk`: will reach the limit before it resets. `idle`: no request for 30 days. */
export const standingFilters = ['over', 'at_risk', 'idle'] as const;
type StandingFilter = (typeof standingFilters)[number];

export const overviewList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text', used: 'number', forecast: 'number', refused: 'number' },
  defaultSort: 'created',
  searched: ['name'],
});

export type OverviewQuery = PageQuery & { readonly standing?: StandingFilter | undefined };

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
  /** Requests with a result since `firstSeriesDay`. */
  readonly requests: number;
  readonly refusedToday: number;
  /** The membership of the user whose organizations were asked for. */
  readonly role: Role | null;
  readonly joinedAt: number | null;
}

/** What only the rows of a page show. */
export interface OrganizationDetails {
  /** The owner who became a member first. */
  readonly owner: string | null;
  readonly days: readonly RequestsOfDay[];
  /** When one of its keys was last used, or a person sent a request that is in the log. */
  readonly lastRequestAt: number | null;
}

export interface OverviewStore {
  figures(of: OverviewOf, asked: FiguresAsked): Promise<OrganizationFigures[]>;
  /** Returns the details of each of the organizations. */
  details(orgIds: readonly string[], firstSeriesDay: number): Promise<OrganizationDetails[]>;
}

interface Forecast extends OrganizationFigures {
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

/** A row of the list. */
export type OverviewRow = Forecast & OrganizationDetails;

/** The sums of all organizations that match a query. `used`: in the current windows of limits that count requests. */
export interface OverviewTotals {
  readonly total: number;
  readonly used: number;
  readonly requests: number;
}

type Place = readonly [rank: SortValue, orgId: SortValue];

export const seriesDays = 28;
const idleMs = 30 * 86_400_000;

/**
 * Lists organizations with what they have used and when it will run out, for which it reads all that the caller has.
 */
export class Overview {
  readonly #store: OverviewStore;
  readonly #tiers: Tiers;
  readonly #clock: Clock;

  constructor(store: OverviewStore, tiers: Tiers, clock: Clock) {
    this.#store = store;
    this.#tiers = tiers;
    this.#clock = clock;
  }

  /** Throws `invalid_request`. */
  async page(of: OverviewOf, query: OverviewQuery): Promise<Page<OverviewRow> & OverviewTotals> {
    const { standing } = query;
    const request = overviewList.request(query, [of.userId ?? null, of.orgId ?? null, standing ?? null]);
    const { search, id, isDescending, limit } = request;
    const nowMs = this.#clock.now();
    const firstSeriesDay = dayOf(nowMs) - seriesDays + 1;
    const asked = { pace: paceDaysAt(nowMs), firstSeriesDay, firstHourToday: dayOf(nowMs) * 24 };
    const found = (await this.#store.figures(of, asked))
      .map((figures) => this.#forecast(figures, nowMs))
      .filter(
        (row) =>
          (search === null || foldCase(row.name).includes(search)) &&
          (id === null || row.orgId === id) &&
          (standing === undefined || fits(row, standing, nowMs)),
      );
    const compare = (a: Place, b: Place) =>
      (isDescending ? -1 : 1) * (compareValues(a[0], b[0]) || compareValues(a[1], b[1]));
    const after = request.after as Place | null;
    const rest = found
      .map((row) => ({ row, place: [rankOf(row, request), row.orgId] as const }))
      .filter(({ place }) => after === null || compare(place, after) > 0)
      .sort((a, b) => compare(a.place, b.place));
    const shown = rest.slice(0, limit);
    const orgIds = shown.map(({ row }) => row.orgId);
    const details = orgIds.length === 0 ? [] : await this.#store.details(orgIds, firstSeriesDay);
    return {
      data: shown.map(({ row }, i) => ({ ...row, ...details[i]! })),
      next: rest.length > limit ? cursorAfter(request, shown.at(-1)!.place) : null,
      total: found.length,
      used: found.reduce((sum, { standing: { unit, used } }) => sum + (unit === 'requests' ? used : 0), 0),
      requests: found.reduce((sum, { requests }) => sum + requests, 0),
    };
  }

  #forecast(figures: OrganizationFigures, nowMs: number): Forecast {
    const limit = this.#tiers.limitOf(figures.tier, figures.custom);
    const standing = standingAmong(figures.windows, limit, nowMs);
    return { ...figures, standing, exhaustsAtMs: project(standing, figures, nowMs)?.exhaustsAtMs ?? null };
  }
}

function fits(
  { standing, exhaustsAtMs, lastDay, createdAt }: Forecast,
  filter: StandingFilter,
  nowMs: number,
) {
  if (filter === 'idle') return Math.max((lastDay ?? 0) * 86_400_000, createdAt) <= nowMs - idleMs;
  const isOver = standing.limit !== null && standing.used >= standing.limit;
  return filter === 'over' ? isOver : exhaustsAtMs !== null && !isOver;
}

/** Returns the value to sort by. Unlimited organizations, and those whose quota lasts, are last in both directions. */
function rankOf(row: Forecast, { order, isDescending }: PageRequest): SortValue {
  const last = isDescending ? -1 : Number.MAX_SAFE_INTEGER;
  const { limit, used } = row.standing;
  if (order === 'name') return foldCase(row.name);
  if (order === 'refused') return row.refusedToday;
  if (order === 'forecast') return row.exhaustsAtMs ?? last;
  if (order === 'created') return row.joinedAt ?? row.createdAt;
  // A cursor has whole numbers only. Without any requests allowed, all of them are used.
  return limit === null ? last : Math.round((Math.max(used, 1 - limit) / Math.max(1, limit)) * 1_000_000);
}

function compareValues(a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
