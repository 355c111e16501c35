CREATE FUNCTION flush_quota_limited(
    tier_name TEXT[], tier_requests BIGINT[], tier_takes_custom BOOLEAN[],
    entry JSONB, at_ms BIGINT,
    OUT refused_by TEXT[], OUT granted BIGINT[], OUT day BIGINT, OUT month_start BIGINT,
    OUT limit_requests BIGINT, OUT window_kind TEXT, OUT window_start BIGINT, OUT window_used BIGINT,
    OUT now_ms BIGINT, OUT current_limits JSONB
  ) VOLATILE LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    of_org TEXT := entry ->> 'org';
    run_key TEXT[] := ARRAY(SELECT jsonb_array_elements_text(entry -> 'runLimitsKeys'));
    run_asks BIGINT[] := ARRAY(SELECT jsonb_array_elements_text(entry -> 'runAsks'))::BIGINT[];
    run_requests BIGINT[] := ARRAY(SELECT jsonb_array_elements_text(entry -> 'runRequests'))::BIGINT[];
    run_texts BIGINT[] := ARRAY(SELECT jsonb_array_elements_text(entry -> 'runTexts'))::BIGINT[];
    run_tokens BIGINT[] := ARRAY(SELECT jsonb_array_elements_text(entry -> 'runTokens'))::BIGINT[];
    org RECORD;
    month RECORD;
    tier_at INT;
    this_month_ms BIGINT;
    counted BIGINT := 0;
    -- The limits, one place each.
    ids TEXT[];
    keys TEXT[];
    units TEXT[];
    kinds TEXT[];
    amounts BIGINT[];
    starts BIGINT[];
    useds BIGINT[];
    ends BIGINT[];
    quota_ends BIGINT;
    unit_at INT[];
    -- The places of the organization's own limits, of those of each key, and of those that apply to a run.
    own INT[];
    places_of_key JSONB;
    applying INT[];
    i INT;
    of_run BIGINT[];
    left_over BIGINT;
    refusing TEXT;
    refusing_ends BIGINT;
    has_granted BOOLEAN := FALSE;
  BEGIN
    SELECT w.window_start AS start, w.used INTO month
    FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT o.org_id, 'month', 0, 0 FROM organizations o WHERE o.org_id = of_org FOR SHARE
      ON CONFLICT DO NOTHING;
      PERFORM FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    END IF;

    -- Read under the lock: of two flushes the later one never has the earlier time.
    now_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);

    UPDATE quota_windows w SET used = w.used - back.requests
    FROM (
      SELECT counted.kind, counted.start, sum(b.requests) AS requests
      FROM jsonb_to_recordset(entry -> 'returns')
        AS b (requests BIGINT, month_start BIGINT, kind TEXT, start BIGINT)
      CROSS JOIN LATERAL (VALUES ('month', b.month_start), (b.kind, b.start)) AS counted (kind, start)
      GROUP BY 1, 2
    ) AS back
    WHERE w.org_id = of_org AND w.window_kind = back.kind AND w.window_start = back.start;

    UPDATE usage_records u SET counted = u.counted - back.requests
    FROM (
      SELECT b.key_id, b.day, b.model, sum(b.requests)::BIGINT AS requests
      FROM jsonb_to_recordset(entry -> 'returns') AS b (requests BIGINT, key_id TEXT, day BIGINT, model TEXT)
      GROUP BY 1, 2, 3
      HAVING sum(b.requests) <> 0
    ) AS back
    WHERE u.org_id = of_org AND u.day = back.day AND u.key_id = back.key_id AND u.model = back.model;

    UPDATE limits l SET used = l.used - back.units
    FROM (
      SELECT b.limit_id, b.start, sum(b.units)::BIGINT AS units
      FROM jsonb_to_recordset(entry -> 'limitReturns') AS b (limit_id TEXT, start BIGINT, units BIGINT)
      GROUP BY 1, 2
    ) AS back
    WHERE l.org_id = of_org AND l.limit_id = back.limit_id AND l.window_start = back.start;

    SELECT w.window_start AS start, w.used INTO month
    FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month';
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

    -- A window that has passed starts again at zero; a later one than the clock's is kept.
    this_month_ms := quota_window_start('month', now_ms);
    month_start := GREATEST(this_month_ms, month.start);
    month.used := CASE WHEN month.start >= this_month_ms THEN month.used ELSE 0 END;
    window_start := month_start;
    window_used := month.used;
    IF window_kind <> 'month' THEN
      SELECT GREATEST(this_window.ms, w.window_start), CASE WHEN w.window_start >= this_window.ms THEN w.used ELSE 0 END
      INTO window_start, window_used
      FROM (VALUES (quota_window_start(window_kind, now_ms))) AS this_window (ms)
      LEFT JOIN quota_windows w ON w.org_id = of_org AND w.window_kind = org.kind;
    END IF;
    quota_ends := quota_window_end(window_kind, window_start);
    day := GREATEST(now_ms, month_start) / 86400000;

    SELECT array_agg(l.limit_id), array_agg(l.key_id), array_agg(l.unit), array_agg(l.window_kind), array_agg(l.amount),
      array_agg(l.start), array_agg(l.used), array_agg(quota_window_end(l.window_kind, l.start)),
      array_agg(array_position(ARRAY['requests', 'texts', 'tokens'], l.unit))
    INTO ids, keys, units, kinds, amounts, starts, useds, ends, unit_at
    FROM (
      SELECT s.limit_id, s.key_id, s.unit, s.window_kind, s.amount, GREATEST(s.window_start, this_window.ms) AS start,
        CASE WHEN s.window_start >= this_window.ms THEN s.used ELSE 0 END AS used
      FROM (
        SELECT * FROM limits x
        WHERE x.org_id = of_org AND (x.key_id IS NULL OR x.key_id = ANY (run_key))
        ORDER BY x.limit_id
        FOR NO KEY UPDATE
      ) AS s
      CROSS JOIN LATERAL (SELECT quota_window_start(s.window_kind, now_ms)) AS this_window (ms)
    ) AS l;

    SELECT array_agg(i) INTO own FROM generate_series(1, cardinality(ids)) AS i WHERE keys[i] IS NULL;
    SELECT jsonb_object_agg(of_key.key, of_key.places) INTO places_of_key
    FROM (
      SELECT keys[i] AS key, jsonb_agg(i) AS places
      FROM generate_series(1, cardinality(ids)) AS i WHERE keys[i] IS NOT NULL GROUP BY 1
    ) AS of_key;

    -- In order of arrival. A run is a number of equal requests, some of which may be granted: the first ones.
    FOR run IN 1 .. cardinality(run_key) LOOP
      of_run := ARRAY[run_requests[run], run_texts[run], run_tokens[run]];
      applying := own || ARRAY(SELECT jsonb_array_elements_text(places_of_key -> run_key[run])::INT);
      left_over := run_asks[run];
      refusing := NULL;
      refusing_ends := 0;
      IF run_requests[run] > 0 AND limit_requests IS NOT NULL THEN
        left_over := LEAST(left_over, GREATEST(0, limit_requests - window_used) / run_requests[run]);
      END IF;
      FOREACH i IN ARRAY applying LOOP
        CONTINUE WHEN of_run[unit_at[i]] = 0;
        left_over := LEAST(left_over, GREATEST(0, amounts[i] - useds[i]) / of_run[unit_at[i]]);
      END LOOP;
      granted[run] := left_over;
      window_used := window_used + left_over * run_requests[run];
      counted := counted + left_over * run_requests[run];
      IF run_requests[run] > 0 AND limit_requests IS NOT NULL AND window_used + run_requests[run] > limit_requests THEN
        refusing := 'quota';
        refusing_ends := quota_ends;
      END IF;
      FOREACH i IN ARRAY applying LOOP
        CONTINUE WHEN of_run[unit_at[i]] = 0;
        useds[i] := useds[i] + left_over * of_run[unit_at[i]];
        IF useds[i] + of_run[unit_at[i]] > amounts[i] AND ends[i] > refusing_ends THEN
          refusing := ids[i];
          refusing_ends := ends[i];
        END IF;
      END LOOP;
      -- What refuses the requests after the granted ones, if there are any.
      refused_by[run] := refusing;
      has_granted := has_granted OR left_over > 0;
    END LOOP;

    IF EXISTS (SELECT FROM limits l WHERE l.org_id = of_org) THEN
      SELECT COALESCE(jsonb_agg(jsonb_build_object('limitId', ids[i], 'keyId', keys[i], 'unit', units[i], 'window', kinds[i],
        'amount', amounts[i], 'startMs', starts[i], 'used', useds[i], 'resetsAtMs', ends[i])), '[]')
      INTO current_limits FROM generate_series(1, COALESCE(cardinality(ids), 0)) AS i;
    END IF;
    IF has_granted AND ids IS NOT NULL THEN
      UPDATE limits l SET window_start = counted.start, used = counted.used
      FROM unnest(ids, starts, useds) AS counted (id, start, used)
      WHERE l.limit_id = counted.id;
    END IF;
    IF counted > 0 THEN
      UPDATE quota_windows w SET window_start = flush_quota_limited.month_start, used = month.used + counted
      WHERE w.org_id = of_org AND w.window_kind = 'month';
      IF window_kind <> 'month' THEN
        INSERT INTO quota_windows (org_id, window_kind, window_start, used)
        SELECT of_org, org.kind, limited.start, limited.used
        FROM (VALUES (flush_quota_limited.window_start, flush_quota_limited.window_used)) AS limited (start, used)
        ON CONFLICT (org_id, window_kind) DO UPDATE SET window_start = excluded.window_start, used = excluded.used;
      END IF;
      INSERT INTO usage_records AS u (org_id, key_id, day, model, counted)
      SELECT of_org, r.key_id, flush_quota_limited.day, r.model, sum(r.granted * r.requests)::BIGINT
      FROM unnest(
        ARRAY(SELECT jsonb_array_elements_text(entry -> 'runKeys')),
        ARRAY(SELECT jsonb_array_elements_text(entry -> 'runModels')), granted, run_requests
      ) AS r (key_id, model, granted, requests)
      GROUP BY r.key_id, r.model
      HAVING sum(r.granted * r.requests) > 0
      ORDER BY r.key_id COLLATE "C", r.model COLLATE "C"
      ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET counted = u.counted + excluded.counted;
      IF day < usage_summed_until() THEN
        PERFORM usage_touched(ARRAY[of_org], ARRAY[day]);
      END IF;
    END IF;
    PERFORM usage_touched(ARRAY[of_org], ARRAY[b.day])
    FROM jsonb_to_recordset(entry -> 'returns') AS b (day BIGINT)
    WHERE b.day < usage_summed_until();
  END $$
