CREATE FUNCTION flush_quota_of_one(
    tier_name TEXT[], tier_requests BIGINT[], tier_takes_custom BOOLEAN[],
    of_org TEXT, asks BIGINT, run_key_id TEXT[], run_from BIGINT[], run_asks BIGINT[],
    at_ms BIGINT, run_model TEXT[] DEFAULT NULL,
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
          AND NOT EXISTS (SELECT FROM limits l WHERE l.org_id = of_org)
          AND w.used + asks <= COALESCE(tier_requests[array_position(tier_name, o.tier)], 9223372036854775807)
        RETURNING tier_requests[array_position(tier_name, o.tier)] AS requests, w.used
      ),
      counted_by_key AS (
        INSERT INTO usage_records AS u (org_id, key_id, day, model, counted)
        SELECT of_org, run_key_id[1], on_day, COALESCE(run_model[1], ''), asks FROM counted
        ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET counted = u.counted + excluded.counted
      )
      SELECT c.requests, c.used INTO limit_requests, window_used FROM counted c;
      IF FOUND THEN
        -- The days of months that have sums, or are being summed up.
        IF EXISTS (SELECT FROM usage_rolled r WHERE r.end_day > on_day)
          OR EXISTS (SELECT FROM usage_rolling r WHERE r.end_day > on_day) THEN
          PERFORM usage_touched(ARRAY[of_org], ARRAY[on_day]);
        END IF;
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
      SELECT o.org_id, 'month', 0, 0 FROM organizations o WHERE o.org_id = of_org FOR SHARE
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
    IF EXISTS (SELECT FROM limits l WHERE l.org_id = of_org) THEN
      -- flush_quota_limited decides.
      granted := -1;
      RETURN;
    END IF;
    units := CASE
      WHEN limit_requests IS NULL THEN asks
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
    INSERT INTO usage_records AS u (org_id, key_id, day, model, counted)
    SELECT of_org, r.key_id, on_day, COALESCE(r.model, ''), sum(LEAST(r.asks, units - r.skip))::BIGINT
    FROM unnest(run_key_id, run_from, run_asks, run_model) AS r (key_id, skip, asks, model)
    WHERE units > r.skip
    GROUP BY r.key_id, COALESCE(r.model, '')
    ORDER BY r.key_id COLLATE "C", COALESCE(r.model, '') COLLATE "C"
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET counted = u.counted + excluded.counted;
    IF EXISTS (SELECT FROM usage_rolled r WHERE r.end_day > on_day)
      OR EXISTS (SELECT FROM usage_rolling r WHERE r.end_day > on_day) THEN
      PERFORM usage_touched(ARRAY[of_org], ARRAY[on_day]);
    END IF;
  END $$
