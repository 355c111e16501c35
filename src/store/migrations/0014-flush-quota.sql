CREATE FUNCTION flush_quota(
    tier_name TEXT[], tier_requests BIGINT[], tier_takes_custom BOOLEAN[],
    org_ids TEXT[], org_asks BIGINT[],
    run_org_at INT[], run_key_id TEXT[], run_from BIGINT[], run_asks BIGINT[],
    back_org_at INT[], back_key_id TEXT[], back_day BIGINT[], back_month_start BIGINT[],
    back_window_kind TEXT[], back_window_start BIGINT[],
    at_ms BIGINT, run_model TEXT[] DEFAULT NULL, back_model TEXT[] DEFAULT NULL
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
    summed_until BIGINT;
    limited_ids TEXT[];
  BEGIN
    IF (
      SELECT count(*) FROM quota_windows w WHERE w.org_id = ANY (org_ids) AND w.window_kind = 'month'
    ) < cardinality(org_ids) THEN
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT o.org_id, 'month', 0, 0
      FROM organizations o
      WHERE o.org_id = ANY (org_ids)
        AND NOT EXISTS (SELECT FROM quota_windows w WHERE w.org_id = o.org_id AND w.window_kind = 'month')
      ORDER BY o.org_id
      FOR SHARE
      ON CONFLICT DO NOTHING;
    END IF;

    PERFORM FROM quota_windows w
    WHERE w.org_id = ANY (org_ids) AND w.window_kind = 'month'
    ORDER BY w.org_id
    FOR NO KEY UPDATE;

    -- Read under the lock: of two flushes the later one never has the earlier time.
    decided_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', decided_ms);

    -- Nothing of their entries is applied here: flush_quota_limited applies them.
    SELECT COALESCE(array_agg(DISTINCT l.org_id), '{}') INTO limited_ids FROM limits l WHERE l.org_id = ANY (org_ids);

    UPDATE quota_windows w SET used = w.used - back.units
    FROM (
      SELECT org_ids[b.org_at] AS org_id, counted.kind, counted.start, count(*) AS units
      FROM unnest(back_org_at, back_month_start, back_window_kind, back_window_start)
        AS b (org_at, month_start, kind, start)
      CROSS JOIN LATERAL (VALUES ('month', b.month_start), (b.kind, b.start)) AS counted (kind, start)
      GROUP BY 1, 2, 3
    ) AS back
    WHERE w.org_id = back.org_id AND w.window_kind = back.kind AND w.window_start = back.start
      AND back.org_id <> ALL (limited_ids);

    RETURN QUERY
    WITH quotas AS (
      SELECT org.place::INT AS org_at, o.org_id, org.asks,
        CASE WHEN custom.agreed THEN o.limit_requests ELSE tier_requests[tier.at] END AS requests,
        CASE WHEN custom.agreed THEN o.limit_window ELSE 'month' END AS kind,
        COALESCE(o.org_id = ANY (limited_ids), FALSE) AS is_limited
      FROM unnest(org_ids, org_asks) WITH ORDINALITY AS org (org_id, asks, place)
      LEFT JOIN organizations o ON o.org_id = org.org_id AND o.tier = ANY (tier_name)
      CROSS JOIN LATERAL (SELECT array_position(tier_name, o.tier)) AS tier (at)
      CROSS JOIN LATERAL (
        SELECT tier_takes_custom[tier.at] AND o.limit_requests IS NOT NULL AND o.limit_window IS NOT NULL
      ) AS custom (agreed)
    ),
    -- A window that has passed starts again at zero; a later one than the clock's is kept.
    decided AS MATERIALIZED (
      SELECT quotas.*, CASE
          WHEN quotas.org_id IS NULL THEN 0
          WHEN quotas.is_limited THEN -1
          WHEN quotas.requests IS NULL THEN quotas.asks
          ELSE LEAST(quotas.asks, GREATEST(0, quotas.requests - limited.used))
        END AS granted,
        GREATEST(decided_ms, month.start) / 86400000 AS day,
        month.start AS month_start, month.used AS month_used,
        limited.start AS limited_start, limited.used AS limited_used
      FROM quotas
      LEFT JOIN quota_windows m ON m.org_id = quotas.org_id AND m.window_kind = 'month'
      LEFT JOIN quota_windows l ON l.org_id = quotas.org_id AND l.window_kind = NULLIF(quotas.kind, 'month')
      CROSS JOIN LATERAL (
        SELECT GREATEST(this_month_ms, m.window_start),
          CASE WHEN m.window_start >= this_month_ms THEN m.used ELSE 0 END
      ) AS month (start, used)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN quotas.kind = 'month' THEN this_month_ms
          ELSE quota_window_start(quotas.kind, decided_ms) END
      ) AS this_window (ms)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN quotas.kind = 'month' THEN month.start ELSE GREATEST(this_window.ms, l.window_start) END,
          CASE WHEN quotas.kind = 'month' THEN month.used WHEN l.window_start >= this_window.ms THEN l.used ELSE 0 END
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
      INSERT INTO usage_records AS u (org_id, key_id, day, model, counted)
      SELECT org_ids[move.org_at], move.key_id, move.day, move.model, sum(move.units)::BIGINT
      FROM (
        SELECT r.org_at, r.key_id, by_place.day[r.org_at], COALESCE(r.model, ''),
          LEAST(r.asks, by_place.granted[r.org_at] - r.skip)
        FROM unnest(run_org_at, run_key_id, run_from, run_asks, run_model) AS r (org_at, key_id, skip, asks, model),
          by_place
        WHERE by_place.granted[r.org_at] > r.skip
        UNION ALL
        SELECT b.org_at, b.key_id, b.day, u.model, -1
        FROM unnest(back_org_at, back_key_id, back_day, back_model) AS b (org_at, key_id, day, model)
        JOIN usage_records u ON u.org_id = org_ids[b.org_at] AND u.day = b.day AND u.key_id = b.key_id
          AND u.model = COALESCE(b.model, '')
        WHERE org_ids[b.org_at] <> ALL (limited_ids)
      ) AS move (org_at, key_id, day, model, units)
      GROUP BY move.org_at, move.key_id, move.day, move.model
      HAVING sum(move.units) <> 0
      ORDER BY org_ids[move.org_at] COLLATE "C", move.day, move.key_id COLLATE "C", move.model COLLATE "C"
      ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET counted = u.counted + excluded.counted
    )
    SELECT d.org_at, d.granted::INT, d.day, d.month_start,
      d.requests, d.kind, d.limited_start, d.limited_used + d.granted, decided_ms
    FROM decided d
    WHERE d.org_id IS NOT NULL;

    summed_until := usage_summed_until();
    IF decided_ms / 86400000 < summed_until THEN
      PERFORM usage_touched(array_agg(w.org_id), array_agg(GREATEST(decided_ms, w.window_start) / 86400000))
      FROM quota_windows w WHERE w.org_id = ANY (org_ids) AND w.window_kind = 'month';
    END IF;
    IF EXISTS (SELECT FROM unnest(back_day) AS b (day) WHERE b.day < summed_until) THEN
      PERFORM usage_touched(array_agg(org_ids[b.org_at]), array_agg(b.day)) FROM unnest(back_org_at, back_day) AS b (org_at, day);
    END IF;
  END $$
