const maxBigint = '9223372036854775807';

/**
 * The ledger's flush, in the database: one call is one transaction and one round trip. It decides as src/quota/decide.ts
 * does.
 *
 * Exact because an organization's month row is the lock of all its windows: whoever flushes holds it until the commit. A
 * VOLATILE function takes a new snapshot for each of its statements, so what follows the lock reads what the lock's last
 * holder has committed. Free of deadlocks because every flush locks in the order of the ids: first the month rows that
 * it has to make, then those that are there, then the usage rows.
 *
 * `flush_quota_of_one` does the same for one organization that nothing is given back to, statement by statement. At light load
 * there is no other flush, and the plan for many takes the server half as long again. Nearly always one key asks, all of it is
 * granted, and the month has begun: that is one statement, which finds nothing to update where it is otherwise. An UPDATE
 * looks at its row again when it had to wait for the lock.
 */
export const flushQuota: readonly string[] = [
  `CREATE FUNCTION quota_window_start(kind TEXT, at_ms BIGINT) RETURNS BIGINT STABLE LANGUAGE sql AS $$
    SELECT extract(epoch FROM date_trunc(kind, to_timestamp(at_ms / 1000.0), 'UTC'))::BIGINT * 1000
  $$`,

  // Arrays with one prefix are one table, column by column; a move's org_at is its organization's place in org_ids.
  // Runs are asks of one key that came one after the other, run_from others of the organization before them.
  `CREATE FUNCTION flush_quota(
    tier_name TEXT[], tier_requests BIGINT[], tier_takes_custom BOOLEAN[],
    org_ids TEXT[], org_asks BIGINT[],
    run_org_at INT[], run_key_id TEXT[], run_from BIGINT[], run_asks BIGINT[],
    back_org_at INT[], back_key_id TEXT[], back_day BIGINT[], back_month_start BIGINT[],
    back_window_kind TEXT[], back_window_start BIGINT[],
    at_ms BIGINT
  ) RETURNS TABLE (
    org_at INT, granted INT, day BIGINT, month_start BIGINT,
    limit_requests BIGINT, window_kind TEXT, window_start BIGINT, window_used BIGINT, now_ms BIGINT
  ) VOLATILE LANGUAGE plpgsql
  -- One plan, row by row through the indexes, however small the tables are when a connection makes it.
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_material = off
  AS $$
  #variable_conflict use_column
  DECLARE
    decided_ms BIGINT;
    this_month_ms BIGINT;
  BEGIN
    INSERT INTO quota_windows (org_id, window_kind, window_start, used)
    SELECT o.org_id, 'month', 0, 0
    FROM organizations o
    WHERE o.org_id = ANY (org_ids)
      AND NOT EXISTS (SELECT FROM quota_windows w WHERE w.org_id = o.org_id AND w.window_kind = 'month')
    ORDER BY o.org_id
    ON CONFLICT DO NOTHING;

    PERFORM FROM quota_windows w
    WHERE w.org_id = ANY (org_ids) AND w.window_kind = 'month'
    ORDER BY w.org_id
    FOR NO KEY UPDATE;

    -- Read under the lock: of two flushes the later one never has the earlier time.
    decided_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', decided_ms);

    UPDATE quota_windows w SET used = w.used - back.units
    FROM (
      SELECT org_ids[b.org_at] AS org_id, counted.kind, counted.start, count(*) AS units
      FROM unnest(back_org_at, back_month_start, back_window_kind, back_window_start)
        AS b (org_at, month_start, kind, start)
      CROSS JOIN LATERAL (VALUES ('month', b.month_start), (b.kind, b.start)) AS counted (kind, start)
      GROUP BY 1, 2, 3
    ) AS back
    WHERE w.org_id = back.org_id AND w.window_kind = back.kind AND w.window_start = back.start;

    RETURN QUERY
    WITH limits AS (
      SELECT org.place::INT AS org_at, o.org_id, org.asks,
        CASE WHEN custom.agreed THEN o.limit_requests ELSE tier_requests[tier.at] END AS requests,
        CASE WHEN custom.agreed THEN o.limit_window ELSE 'month' END AS kind
      FROM unnest(org_ids, org_asks) WITH ORDINALITY AS org (org_id, asks, place)
      LEFT JOIN organizations o ON o.org_id = org.org_id AND o.tier = ANY (tier_name)
      CROSS JOIN LATERAL (SELECT array_position(tier_name, o.tier)) AS tier (at)
      CROSS JOIN LATERAL (
        SELECT tier_takes_custom[tier.at] AND o.limit_requests IS NOT NULL AND o.limit_window IS NOT NULL
      ) AS custom (agreed)
    ),
    -- A window that has passed starts again at zero; a later one than the clock's is kept.
    decided AS MATERIALIZED (
      SELECT limits.*, CASE
          WHEN limits.org_id IS NULL THEN 0
          WHEN limits.requests IS NULL THEN limits.asks
          ELSE LEAST(limits.asks, GREATEST(0, limits.requests - limited.used))
        END AS granted,
        GREATEST(decided_ms, month.start) / 86400000 AS day,
        month.start AS month_start, month.used AS month_used,
        limited.start AS limited_start, limited.used AS limited_used
      FROM limits
      LEFT JOIN quota_windows m ON m.org_id = limits.org_id AND m.window_kind = 'month'
      LEFT JOIN quota_windows l ON l.org_id = limits.org_id AND l.window_kind = limits.kind
      CROSS JOIN LATERAL (
        SELECT GREATEST(this_month_ms, m.window_start),
          CASE WHEN m.window_start >= this_month_ms THEN m.used ELSE 0 END
      ) AS month (start, used)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN limits.kind = 'month' THEN this_month_ms
          ELSE quota_window_start(limits.kind, decided_ms) END
      ) AS this_window (ms)
      CROSS JOIN LATERAL (
        SELECT GREATEST(this_window.ms, l.window_start),
          CASE WHEN l.window_start >= this_window.ms THEN l.used ELSE 0 END
      ) AS limited (start, used)
    ),
    counted_by_window AS (
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT d.org_id, 'month', d.month_start, d.month_used + d.granted FROM decided d WHERE d.granted > 0
      UNION ALL
      SELECT d.org_id, d.kind, d.limited_start, d.limited_used + d.granted
      FROM decided d WHERE d.granted > 0 AND d.kind <> 'month'
      ON CONFLICT (org_id, window_kind)
        DO UPDATE SET window_start = excluded.window_start, used = excluded.used
    ),
    -- As arrays, a run finds its organization by subscript: no join whose plan could go wrong.
    by_place AS MATERIALIZED (
      SELECT array_agg(d.granted ORDER BY d.org_at) AS granted, array_agg(d.day ORDER BY d.org_at) AS day
      FROM decided d
    ),
    counted_by_key AS (
      INSERT INTO usage_daily AS u (org_id, key_id, day, counted)
      SELECT org_ids[move.org_at], move.key_id, move.day, sum(move.units)::BIGINT
      FROM (
        SELECT r.org_at, r.key_id, by_place.day[r.org_at], LEAST(r.asks, by_place.granted[r.org_at] - r.skip)
        FROM unnest(run_org_at, run_key_id, run_from, run_asks) AS r (org_at, key_id, skip, asks), by_place
        WHERE by_place.granted[r.org_at] > r.skip
        UNION ALL
        SELECT b.org_at, b.key_id, b.day, -1
        FROM unnest(back_org_at, back_key_id, back_day) AS b (org_at, key_id, day)
        JOIN usage_daily u ON u.org_id = org_ids[b.org_at] AND u.day = b.day AND u.key_id = b.key_id
      ) AS move (org_at, key_id, day, units)
      GROUP BY move.org_at, move.key_id, move.day
      HAVING sum(move.units) <> 0
      ORDER BY org_ids[move.org_at] COLLATE "C", move.day, move.key_id COLLATE "C"
      ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted
    )
    SELECT d.org_at, d.granted::INT, d.day, d.month_start,
      d.requests, d.kind, d.limited_start, d.limited_used + d.granted, decided_ms
    FROM decided d
    WHERE d.org_id IS NOT NULL;
  END $$`,

  // An unknown organization's row is all nulls.
  `CREATE FUNCTION flush_quota_of_one(
    tier_name TEXT[], tier_requests BIGINT[], tier_takes_custom BOOLEAN[],
    of_org TEXT, asks BIGINT, run_key_id TEXT[], run_from BIGINT[], run_asks BIGINT[],
    at_ms BIGINT,
    OUT org_at INT, OUT granted INT, OUT day BIGINT, OUT month_start BIGINT,
    OUT limit_requests BIGINT, OUT window_kind TEXT, OUT window_start BIGINT, OUT window_used BIGINT, OUT now_ms BIGINT
  ) VOLATILE LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    org RECORD;
    month RECORD;
    limited RECORD;
    tier_at INT;
    this_month_ms BIGINT;
    this_window_ms BIGINT;
    month_used BIGINT;
    on_day BIGINT;
    units BIGINT;
  BEGIN
    now_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', now_ms);
    on_day := now_ms / 86400000;
    IF cardinality(run_key_id) = 1 THEN
      WITH counted AS (
        UPDATE quota_windows w SET used = w.used + asks
        FROM organizations o
        WHERE w.org_id = of_org AND w.window_kind = 'month' AND w.window_start = this_month_ms
          AND o.org_id = of_org AND o.tier = ANY (tier_name)
          AND NOT (tier_takes_custom[array_position(tier_name, o.tier)]
            AND o.limit_requests IS NOT NULL AND o.limit_window IS NOT NULL)
          AND w.used + asks <= COALESCE(tier_requests[array_position(tier_name, o.tier)], ${maxBigint})
        RETURNING tier_requests[array_position(tier_name, o.tier)] AS requests, w.used
      ),
      counted_by_key AS (
        INSERT INTO usage_daily AS u (org_id, key_id, day, counted)
        SELECT of_org, run_key_id[1], on_day, asks FROM counted
        ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted
      )
      SELECT c.requests, c.used INTO limit_requests, window_used FROM counted c;
      IF FOUND THEN
        org_at := 1;
        granted := asks;
        day := on_day;
        window_kind := 'month';
        month_start := this_month_ms;
        window_start := this_month_ms;
        RETURN;
      END IF;
    END IF;

    SELECT w.window_start AS start, w.used INTO month
    FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT o.org_id, 'month', 0, 0 FROM organizations o WHERE o.org_id = of_org
      ON CONFLICT DO NOTHING;
      SELECT w.window_start AS start, w.used INTO month
      FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    END IF;

    SELECT o.tier, o.limit_requests AS requests, o.limit_window AS kind INTO org
    FROM organizations o WHERE o.org_id = of_org;
    tier_at := array_position(tier_name, org.tier);
    IF tier_at IS NULL THEN
      RETURN;
    END IF;
    IF tier_takes_custom[tier_at] AND org.requests IS NOT NULL AND org.kind IS NOT NULL THEN
      limit_requests := org.requests;
      window_kind := org.kind;
    ELSE
      limit_requests := tier_requests[tier_at];
      window_kind := 'month';
    END IF;

    now_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', now_ms);
    month_start := GREATEST(this_month_ms, month.start);
    month_used := CASE WHEN month.start >= this_month_ms THEN month.used ELSE 0 END;
    IF window_kind = 'month' THEN
      window_start := month_start;
      window_used := month_used;
    ELSE
      this_window_ms := quota_window_start(window_kind, now_ms);
      SELECT w.window_start AS start, w.used INTO limited
      FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = org.kind;
      window_start := GREATEST(this_window_ms, limited.start);
      window_used := CASE WHEN limited.start >= this_window_ms THEN limited.used ELSE 0 END;
    END IF;

    org_at := 1;
    on_day := GREATEST(now_ms, month_start) / 86400000;
    day := on_day;
    units := CASE WHEN limit_requests IS NULL THEN asks
      ELSE LEAST(asks, GREATEST(0, limit_requests - window_used)) END;
    granted := units;
    IF units = 0 THEN
      RETURN;
    END IF;
    month_used := month_used + units;
    window_used := window_used + units;
    month.start := month_start;
    UPDATE quota_windows SET window_start = month.start, used = month_used
    WHERE org_id = of_org AND window_kind = 'month';
    IF window_kind <> 'month' THEN
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT of_org, org.kind, limited_start, limited_used
      FROM (VALUES (window_start, window_used)) AS limited (limited_start, limited_used)
      ON CONFLICT (org_id, window_kind) DO UPDATE SET window_start = excluded.window_start, used = excluded.used;
    END IF;
    INSERT INTO usage_daily AS u (org_id, key_id, day, counted)
    SELECT of_org, r.key_id, on_day, sum(LEAST(r.asks, units - r.skip))::BIGINT
    FROM unnest(run_key_id, run_from, run_asks) AS r (key_id, skip, asks)
    WHERE units > r.skip
    GROUP BY r.key_id
    ORDER BY r.key_id COLLATE "C"
    ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted;
  END $$`,
];
