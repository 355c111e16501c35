import { performance } from 'node:perf_hooks';
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
export type StandingFilter = (typeof standingFilters)[number];

/** Organizations by what they have used too, for which all of them have to be read. */
export const overviewList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text', used: 'number', forecast: 'number', refused: 'number' },
  defaultSort: 'created',
  searched: ['name'],
});

export type OverviewQuery = PageQuery & { readonly standing?: StandingFilter | undefined };

/** The organizations to read: all of them, those of a user, or those with one of the ids. */
export type OverviewOf = 'all' | { readonly userId: string } | { readonly orgIds: readonly string[] };

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
  /** The role of the user whose organizations were asked for. */
  readonly role: Role | null;
}

/** What only the rows of a page show. */
export interface OrganizationDetails {
  /** The owner who became a member first. */
  readonly owner: string | null;
  readonly days: readonly RequestsOfDay[];
  /** When one of its keys was last used. */
  readonly keyUsedAt: number | null;
}

export interface OverviewStore {
  /** Returns the next organizations after one of the ids, by id. */
  figures(of: OverviewOf, asked: FiguresAsked, after: string, limit: number): Promise<OrganizationFigures[]>;
  details(orgIds: readonly string[], firstSeriesDay: number): Promise<Map<string, OrganizationDetails>>;
}

/** A row of the list. */
export interface OverviewRow extends OrganizationDetails {
  readonly figures: OrganizationFigures;
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

export interface OverviewTotals {
  readonly total: number;
  /** Requests in the current windows of the limits that count requests. */
  readonly used: number;
  readonly requests: number;
}

/** What is kept of each organization to sort and filter by. */
interface Ranked {
  readonly orgId: string;
  readonly role: Role | null;
  readonly values: Readonly<Record<string, SortValue>>;
  readonly isUnlimited: boolean;
  readonly lasts: boolean;
  readonly fits: Readonly<Record<StandingFilter, boolean>>;
  readonly used: number;
  readonly requests: number;
}

export const seriesDays = 28;
const dayMs = 86_400_000;
const idleMs = 30 * dayMs;
const organizationsPerRead = 1_000;
/** Reading all organizations may take a twentieth of the time: it is repeated only after 20 times as long. */
const restFactor = 20;
/** As many organizations are always read again, so that small installations see the current state. */
const maxAlwaysRead = 2_000;
/** Until it is this old, what is known is shown while it is read again, so that nobody waits for it. */
const maxAgeMs = 300_000;

/** Lists organizations with what they have used and when it will run out. */
export class Overview {
  readonly #store: OverviewStore;
  readonly #tiers: Tiers;
  readonly #clock: Clock;
  /** Undefined: there are so few organizations that nothing has to be kept. */
  #known:
    | { readonly ranked: readonly Ranked[]; readonly readAtMs: number; readonly tookMs: number }
    | undefined;
  #reading: Promise<readonly Ranked[]> | undefined;

  constructor(store: OverviewStore, tiers: Tiers, clock: Clock) {
    this.#store = store;
    this.#tiers = tiers;
    this.#clock = clock;
  }

  /** Whether the query can be answered only from the figures of all organizations. */
  static isRanked({ sort, standing }: OverviewQuery): boolean {
    return standing !== undefined || /used|forecast|refused/.test(sort ?? '');
  }

  /** Returns the ids of a page, and the caller's roles. Throws `invalid_request`. */
  async page(of: OverviewOf, query: OverviewQuery): Promise<Page<{ orgId: string; role: Role | null }>> {
    const request = requestOf(of, query);
    const found = await this.#matching(of, request, query.standing);
    const rankOf = rankIn(request);
    const sign = request.isDescending ? -1 : 1;
    const { after, limit } = request;
    const compare = (one: Ranked, value: SortValue, id: SortValue): number =>
      sign * (compareValues(rankOf(one), value) || compareValues(one.orgId, id));
    const rest = after === null ? found : found.filter((one) => compare(one, after[0]!, after[1]!) > 0);
    const first = firstOf(rest, limit + 1, (a, b) => compare(a, rankOf(b), b.orgId));
    const data = first.slice(0, limit);
    const last = first.length > limit ? data.at(-1) : undefined;
    return { data, next: last ? cursorAfter(request, [rankOf(last), last.orgId]) : null };
  }

  /** Returns the sums of all organizations that match the query. Throws `invalid_request`. */
  async totals(of: OverviewOf, query: OverviewQuery): Promise<OverviewTotals> {
    const request = requestOf(of, { ...query, after: undefined });
    const found = await this.#matching(of, request, query.standing);
    const sum = (figure: 'used' | 'requests') => found.reduce((total, one) => total + one[figure], 0);
    return { total: found.length, used: sum('used'), requests: sum('requests') };
  }

  /** Returns the rows of some organizations, by id. Omits those that don't exist. */
  async rows(orgIds: readonly string[]): Promise<Map<string, OverviewRow>> {
    if (orgIds.length === 0) return new Map();
    const nowMs = this.#clock.now();
    const asked = askedAt(nowMs);
    const [found, details] = await Promise.all([
      this.#store.figures({ orgIds }, asked, '', orgIds.length),
      this.#store.details(orgIds, asked.firstSeriesDay),
    ]);
    return new Map(
      found.map((figures) => {
        const { owner = null, days = [], keyUsedAt = null } = details.get(figures.orgId) ?? {};
        return [figures.orgId, { figures, owner, days, keyUsedAt, ...this.#forecast(figures, nowMs) }];
      }),
    );
  }

  async #matching(
    of: OverviewOf,
    { search, id }: Pick<PageRequest, 'search' | 'id'>,
    standing: StandingFilter | undefined,
  ): Promise<readonly Ranked[]> {
    const ranked = await (of === 'all' ? this.#rankedAll() : this.#read(of));
    return ranked.filter(
      ({ orgId, values, fits }) =>
        (search === null || String(values.name).includes(search)) &&
        (id === null || orgId === id) &&
        (standing === undefined || fits[standing]),
    );
  }

  /** Returns what is known, if it is recent enough. Reads it again meanwhile when it has been used for long enough. */
  #rankedAll(): Promise<readonly Ranked[]> | readonly Ranked[] {
    const { ranked, readAtMs, tookMs } = this.#known ?? { ranked: [], readAtMs: -maxAgeMs, tookMs: 0 };
    const ageMs = performance.now() - readAtMs;
    if (ageMs < tookMs * restFactor) return ranked;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    if (ageMs >= maxAgeMs) return this.#reading;
    this.#reading.catch(() => {});
    return ranked;
  }

  async #readAll(): Promise<readonly Ranked[]> {
    const beganMs = performance.now();
    const ranked = await this.#read('all');
    const readAtMs = performance.now();
    const tookMs = readAtMs - beganMs;
    this.#known = ranked.length <= maxAlwaysRead ? undefined : { ranked, readAtMs, tookMs };
    return ranked;
  }

  async #read(of: OverviewOf): Promise<Ranked[]> {
    const nowMs = this.#clock.now();
    const ranked: Ranked[] = [];
    let after: string | undefined = '';
    while (after !== undefined) {
      const some: OrganizationFigures[] = await this.#store.figures(
        of,
        askedAt(nowMs),
        after,
        organizationsPerRead,
      );
      for (const figures of some) ranked.push(this.#ranked(figures, nowMs));
      after = some.length === organizationsPerRead ? some.at(-1)?.orgId : undefined;
    }
    return ranked;
  }

  #forecast(figures: OrganizationFigures, nowMs: number) {
    const limit = this.#tiers.limitOf(figures.tier, figures.custom);
    const standing = standingAmong(figures.windows, limit, nowMs);
    return { standing, exhaustsAtMs: project(standing, figures, nowMs)?.exhaustsAtMs ?? null };
  }

  #ranked(figures: OrganizationFigures, nowMs: number): Ranked {
    const { orgId, role, name, createdAt, lastDay, requests, refusedToday } = figures;
    const { standing, exhaustsAtMs } = this.#forecast(figures, nowMs);
    const { limit, used, unit } = standing;
    const isOver = limit !== null && used >= limit;
    // A cursor has whole numbers only.
    const share = limit === null ? 0 : Math.round((used / Math.max(1, limit)) * 1_000_000);
    return {
      orgId,
      role,
      values: {
        created: createdAt,
        name: foldCase(name),
        used: limit === 0 ? Math.max(share, 1_000_000) : share,
        forecast: exhaustsAtMs ?? 0,
        refused: refusedToday,
      },
      isUnlimited: limit === null,
      lasts: exhaustsAtMs === null,
      fits: {
        over: isOver,
        at_risk: exhaustsAtMs !== null && !isOver,
        idle: Math.max((lastDay ?? 0) * dayMs, createdAt) <= nowMs - idleMs,
      },
      used: unit === 'requests' ? used : 0,
      requests,
    };
  }
}

/** The cursors of a user's organizations differ from those of all. */
function requestOf(of: OverviewOf, query: OverviewQuery): PageRequest {
  const { standing = null } = query;
  if (of === 'all') return overviewList.request(query, [standing]);
  return overviewList.request(query, ['userId' in of ? of.userId : of.orgIds.join(), standing]);
}

/** Returns the value to sort by. Unlimited organizations, and those whose quota lasts, are last in both directions. */
function rankIn({ order, isDescending }: PageRequest): (one: Ranked) => SortValue {
  const last = isDescending ? -1 : Number.MAX_SAFE_INTEGER;
  return ({ values, isUnlimited, lasts }) => {
    const isLast = (order === 'used' && isUnlimited) || (order === 'forecast' && lasts);
    return isLast ? last : values[order]!;
  };
}

function compareValues(a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the first rows in order. Sorting all of them would keep the event loop for long. */
function firstOf<T>(rows: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  for (const row of rows) {
    if (first.length === count && compare(row, first.at(-1)!) > 0) continue;
    first.splice(first.findLastIndex((other) => compare(other, row) < 0) + 1, 0, row);
    if (first.length > count) first.pop();
  }
  return first;
}

function askedAt(nowMs: number): FiguresAsked {
  const today = dayOf(nowMs);
  return {
    pace: paceDaysAt(nowMs),
    firstSeriesDay: today - seriesDays + 1,
    firstHourToday: today * 24,
  };
}
