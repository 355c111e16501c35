-- Flushes the ledger: of any number of organizations, with limits and without. A call is one transaction and one round
-- trip, and makes the same decisions as src/quota/decide.ts.
--
-- Counts are exact because an organization's month row is the lock of all its windows and limits: a flush holds it until
-- the commit. A VOLATILE function takes a new snapshot for each of its statements, so statements after the lock read what
-- its last holder has committed.
--
-- Flushes can't deadlock because they all lock in order of the ids: first the month rows that they have to insert, then
-- the existing ones, then the usage rows.
--
-- The totals of what organizations and keys ask for are compared with what their quotas and limits have left. Only if one
-- has too little is each run of the organization decided. So the time hardly depends on the number of runs and limits.
CREATE FUNCTION flush_quota(
    tier_name TEXT[], tier_limit BIGINT[], tier_unit INT[], tier_takes_custom BOOLEAN[],
    org_ids TEXT[], org_scope INT[],
    scope_org INT[], scope_id TEXT[], scope_units BIGINT[],
    record_scope INT[], record_person INT[], record_key TEXT[], record_model TEXT[], record_units BIGINT[],
    run_record INT[], run_asks BIGINT[], run_units BIGINT[],
    back_org INT[], back_key TEXT[], back_model TEXT[], back_units BIGINT[], back_day BIGINT[],
    back_month_start BIGINT[], back_window_kind TEXT[], back_window_start BIGINT[], back_window_units BIGINT[],
    back_limit TEXT[], back_limit_start BIGINT[], back_limit_units BIGINT[],
    at_ms BIGINT
  ) RETURNS TABLE (
    org_at INT, day BIGINT, month_start BIGINT,
    limit_amount BIGINT, limit_unit INT, window_kind TEXT, window_start BIGINT, window_used BIGINT, now_ms BIGINT,
    granted BIGINT[], refused_by TEXT[], current_limits JSON
  ) VOLATILE LANGUAGE plpgsql
  -- Longer than a flush takes under load. Makes it give up soon if another transaction keeps an organization's rows locked,
  -- so that the other organizations in the flush don't wait for it. The flush commits nothing then, and is repeated
  -- without that one.
  SET lock_timeout = '300ms'
  -- One plan, row by row through the indexes, however small the tables are when a connection makes it.
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_material = off
  AS $$
  #variable_conflict use_column
  DECLARE
    decided_ms BIGINT;
    this_month_ms BIGINT;
    -- The quotas of the organizations, one place each. Null used: no such organization. Null kind: an unknown tier.
    quotas BIGINT[];
    quota_units INT[];
    kinds TEXT[];
    -- The names of the rows that count the quotas. See rowKindOf in src/quota/decide.ts.
    row_kinds TEXT[];
    month_starts BIGINT[];
    month_used BIGINT[];
    starts BIGINT[];
    used BIGINT[];
    has_limits BOOLEAN[];
    is_tight BOOLEAN[];
    -- The limits that apply, one place each, in order of their scopes.
    limit_scope INT[];
    limit_ids TEXT[];
    limit_keys TEXT[];
    limit_users TEXT[];
    -- Null: the limit counts what is in progress, and nothing here.
    limit_unit INT[];
    limit_kinds TEXT[];
    amounts BIGINT[];
    waits BIGINT[];
    limit_starts BIGINT[];
    limit_used BIGINT[];
    limit_ends BIGINT[];
    -- For each scope, the places of its limits, and for each unit what the tightest of them has left.
    first_limit INT[];
    last_limit INT[];
    room BIGINT[];
    -- For each organization, the places of its runs, if they are decided one by one.
    first_run INT[];
    last_run INT[];
    refusing TEXT[];
    unlimited CONSTANT BIGINT := 9223372036854775807;
    org INT;
    own INT;
    scope INT;
    person INT;
    counting INT;
    units BIGINT[];
    asked BIGINT;
    left_over BIGINT;
    refusing_ends BIGINT;
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

    IF cardinality(back_org) > 0 THEN
      UPDATE quota_windows w SET used = w.used - back.units
      FROM (
        SELECT org_ids[b.org_at] AS org_id, counted.kind, counted.start, sum(counted.units) AS units
        FROM unnest(back_org, back_month_start, back_window_kind, back_window_start, back_window_units)
          WITH ORDINALITY AS b (org_at, month_start, kind, start, units, at)
        CROSS JOIN LATERAL (VALUES ('month', b.month_start, back_units[b.at][1]), (b.kind, b.start, b.units))
          AS counted (kind, start, units)
        GROUP BY 1, 2, 3
        HAVING sum(counted.units) <> 0
      ) AS back
      WHERE w.org_id = back.org_id AND w.window_kind = back.kind AND w.window_start = back.start;
    END IF;
    IF cardinality(back_limit) > 0 THEN
      UPDATE limits l SET used = l.used - back.units
      FROM (
        SELECT b.limit_id, b.start, sum(b.units)::BIGINT AS units
        FROM unnest(back_limit, back_limit_start, back_limit_units) AS b (limit_id, start, units)
        GROUP BY 1, 2
      ) AS back
      WHERE l.limit_id = back.limit_id AND l.window_start = back.start;
    END IF;

    -- A window that has passed starts again at zero; a later one than the clock's is kept. OFFSET 0 keeps the planner from
    -- merging the steps, which would compute the first ones many times.
    SELECT array_agg(q.quota), array_agg(q.unit), array_agg(q.kind), array_agg(q.row_kind), array_agg(q.month_start), array_agg(q.month_used),
      array_agg(q.start), array_agg(q.used), array_agg(q.has_limits),
      array_agg(scope_units[org_scope[q.at]][q.unit] > q.quota - LEAST(q.used, q.quota))
    INTO quotas, quota_units, kinds, row_kinds, month_starts, month_used, starts, used, has_limits, is_tight
    FROM (
      SELECT quota.*,
        CASE WHEN quota.row_kind = 'month' THEN quota.month_start
          ELSE GREATEST(quota_window_start(quota.kind, decided_ms), quota.own_start) END AS start,
        CASE WHEN quota.row_kind = 'month' THEN quota.month_used
          WHEN quota.own_start >= quota_window_start(quota.kind, decided_ms) THEN quota.own_used
          ELSE 0 END AS used
      FROM (
        SELECT stored.at, stored.has_limits, stored.own_start, stored.own_used, stored.kind, stored.unit, stored.row_kind,
          CASE WHEN stored.is_custom THEN stored.custom_limit ELSE tier_limit[stored.tier_at] END AS quota,
          GREATEST(this_month_ms, stored.month_start) AS month_start,
          CASE WHEN stored.month_start < this_month_ms THEN 0 ELSE stored.month_used END AS month_used
        FROM (
          SELECT org.at, tier.at AS tier_at, m.window_start AS month_start, m.used AS month_used,
            o.limit_requests AS custom_limit, c.window_start AS own_start, c.used AS own_used,
            tier.is_custom, tier.unit, counted.kind, counted.row_kind,
            EXISTS (SELECT FROM limits l WHERE l.org_id = ANY (org_ids))
              AND EXISTS (SELECT FROM limits l WHERE l.org_id = org.org_id) AS has_limits
          FROM unnest(org_ids) WITH ORDINALITY AS org (org_id, at)
          LEFT JOIN organizations o ON o.org_id = org.org_id
          LEFT JOIN quota_windows m ON m.org_id = org.org_id AND m.window_kind = 'month'
          CROSS JOIN LATERAL (
            SELECT place.at, COALESCE(tier_unit[place.at], 1),
              tier_takes_custom[place.at] AND o.limit_requests IS NOT NULL AND o.limit_window IS NOT NULL
            FROM (SELECT array_position(tier_name, o.tier)) AS place (at)
          ) AS tier (at, unit, is_custom)
          CROSS JOIN LATERAL (
            SELECT own.kind, own.kind || (ARRAY['', '/texts', '/tokens', '/cost'])[tier.unit]
            FROM (SELECT CASE WHEN tier.is_custom THEN o.limit_window WHEN tier.at IS NOT NULL THEN 'month' END) AS own (kind)
          ) AS counted (kind, row_kind)
          LEFT JOIN quota_windows c ON c.org_id = o.org_id AND c.window_kind = NULLIF(counted.row_kind, 'month')
          OFFSET 0
        ) AS stored
        OFFSET 0
      ) AS quota
      ORDER BY quota.at
    ) AS q;

    IF TRUE = ANY (has_limits) OR TRUE = ANY (is_tight) THEN
      room := array_fill(unlimited, ARRAY[cardinality(scope_org), 4]);
      first_limit := array_fill(1, ARRAY[cardinality(scope_org)]);
      last_limit := array_fill(0, ARRAY[cardinality(scope_org)]);
      FOR i IN 1 .. cardinality(org_ids) LOOP
        room[org_scope[i]][quota_units[i]] := COALESCE(quotas[i] - used[i], unlimited);
      END LOOP;

      IF TRUE = ANY (has_limits) THEN
        SELECT array_agg(l.scope), array_agg(l.limit_id), array_agg(l.key_id), array_agg(l.user_id), array_agg(l.unit), array_agg(l.window_kind), array_agg(l.amount), array_agg(l.max_wait_ms),
          array_agg(l.start), array_agg(l.used), array_agg(quota_window_end(l.window_kind, l.start))
        INTO limit_scope, limit_ids, limit_keys, limit_users, limit_unit, limit_kinds, amounts, waits, limit_starts, limit_used, limit_ends
        FROM (
          SELECT s.at::INT AS scope, l.limit_id, l.key_id, l.user_id, array_position(ARRAY['requests', 'texts', 'tokens', 'cost'], l.unit) AS unit,
            l.window_kind, l.amount, l.max_wait_ms, GREATEST(l.window_start, this_window.ms) AS start,
            CASE WHEN l.window_start >= this_window.ms THEN l.used ELSE 0 END AS used
          FROM unnest(scope_org, scope_id) WITH ORDINALITY AS s (org_at, id, at)
          JOIN limits l ON l.org_id = org_ids[s.org_at]
            AND COALESCE(l.key_id, 'user ' || l.user_id, NULLIF(l.applies_to, 'requests'), '') = s.id
          CROSS JOIN LATERAL (SELECT quota_window_start(l.window_kind, decided_ms)) AS this_window (ms)
          WHERE has_limits[s.org_at]
          ORDER BY s.at, l.limit_id
        ) AS l;
        FOR i IN 1 .. COALESCE(cardinality(limit_ids), 0) LOOP
          scope := limit_scope[i];
          IF last_limit[scope] = 0 THEN
            first_limit[scope] := i;
          END IF;
          last_limit[scope] := i;
          CONTINUE WHEN limit_unit[i] IS NULL;
          left_over := amounts[i] - limit_used[i];
          room[scope][limit_unit[i]] := LEAST(room[scope][limit_unit[i]], left_over);
          IF scope_units[scope][limit_unit[i]] > GREATEST(0, left_over) THEN
            is_tight[scope_org[scope]] := TRUE;
          END IF;
        END LOOP;
      END IF;
    END IF;

    -- Organizations that may not have all that they ask for, run by run, in order of arrival. A run is a number of equal
    -- requests, of which the first ones may be granted. What they count is added up again from zero.
    IF TRUE = ANY (is_tight) THEN
      FOR i IN 1 .. cardinality(scope_org) LOOP
        CONTINUE WHEN is_tight[scope_org[i]] IS NOT TRUE;
        scope_units[i][1] := 0;
        scope_units[i][2] := 0;
        scope_units[i][3] := 0;
        scope_units[i][4] := 0;
      END LOOP;
      FOR i IN 1 .. cardinality(record_scope) LOOP
        IF is_tight[scope_org[record_scope[i]]] THEN
          record_units[i][1] := 0;
          record_units[i][2] := 0;
          record_units[i][3] := 0;
          record_units[i][4] := 0;
        END IF;
      END LOOP;
      first_run := array_fill(0, ARRAY[cardinality(org_ids)]);
      last_run := first_run;
      refusing := array_fill(NULL::TEXT, ARRAY[cardinality(run_record)]);
      FOR run IN 1 .. cardinality(run_record) LOOP
        scope := record_scope[run_record[run]];
        org := scope_org[scope];
        CONTINUE WHEN is_tight[org] IS NOT TRUE;
        IF first_run[org] = 0 THEN
          first_run[org] := run;
        END IF;
        last_run[org] := run;
        own := org_scope[org];
        person := record_person[run_record[run]];
        units := ARRAY[run_units[run][1], run_units[run][2], run_units[run][3], run_units[run][4]];
        asked := run_asks[run];
        left_over := asked;
        FOR unit IN 1 .. 4 LOOP
          CONTINUE WHEN units[unit] = 0;
          -- LEAST ignores the room of no person, which is null.
          left_over := LEAST(
            left_over, GREATEST(0, LEAST(room[own][unit], room[scope][unit], room[person][unit])) / units[unit]
          );
        END LOOP;
        IF left_over > 0 THEN
          FOREACH counting IN ARRAY array_remove(ARRAY[own, scope, person], NULL) LOOP
            FOR unit IN 1 .. 4 LOOP
              room[counting][unit] := room[counting][unit] - left_over * units[unit];
              scope_units[counting][unit] := scope_units[counting][unit] + left_over * units[unit];
            END LOOP;
          END LOOP;
          FOR unit IN 1 .. 4 LOOP
            record_units[run_record[run]][unit] := record_units[run_record[run]][unit] + left_over * units[unit];
          END LOOP;
        END IF;
        run_asks[run] := left_over;
        CONTINUE WHEN left_over = asked;
        -- Of what refuses the others, the one that resets last. Null: the quota.
        refusing_ends := 0;
        IF used[org] + scope_units[own][quota_units[org]] + units[quota_units[org]] > quotas[org]
          AND units[quota_units[org]] > 0 THEN
          refusing_ends := quota_window_end(kinds[org], starts[org]);
        END IF;
        FOREACH counting IN ARRAY array_remove(ARRAY[own, scope, person], NULL) LOOP
          FOR i IN first_limit[counting] .. last_limit[counting] LOOP
            IF limit_ends[i] > refusing_ends AND units[limit_unit[i]] > 0
              AND limit_used[i] + scope_units[counting][limit_unit[i]] + units[limit_unit[i]] > amounts[i] THEN
              refusing[run] := limit_ids[i];
              refusing_ends := limit_ends[i];
            END IF;
          END LOOP;
        END LOOP;
      END LOOP;
    END IF;

    IF limit_ids IS NOT NULL THEN
      UPDATE limits l SET window_start = counted.start, used = counted.used + scope_units[counted.scope][counted.unit]
      FROM unnest(limit_ids, limit_scope, limit_unit, limit_starts, limit_used) AS counted (id, scope, unit, start, used)
      CROSS JOIN LATERAL (SELECT scope_org[counted.scope]) AS org (at)
      WHERE l.limit_id = counted.id AND counted.unit IS NOT NULL AND kinds[org.at] IS NOT NULL
        AND 0 < ANY (ARRAY[
          scope_units[org_scope[org.at]][1], scope_units[org_scope[org.at]][2], scope_units[org_scope[org.at]][3],
          scope_units[org_scope[org.at]][4]
        ]);
    END IF;

    PERFORM count_usage(
      array_agg(move.org_id), array_agg(move.key_id), array_agg(move.day), array_agg(move.first_day), array_agg(move.model),
      array_agg(move.requests), array_agg(move.texts), array_agg(move.tokens), array_agg(move.cost)
    )
    FROM (
      SELECT org_id, key_id, day, first_day, model, sum(requests)::BIGINT, sum(texts)::BIGINT, sum(tokens)::BIGINT, sum(cost)::BIGINT
      FROM (
        SELECT org_ids[scope_org[r.scope]], r.key_id, GREATEST(decided_ms, month_starts[scope_org[r.scope]]) / 86400000,
          month_starts[scope_org[r.scope]] / 86400000, r.model,
          record_units[r.at][1], record_units[r.at][2], record_units[r.at][3], record_units[r.at][4]
        FROM unnest(record_scope, record_key, record_model) WITH ORDINALITY AS r (scope, key_id, model, at)
        WHERE kinds[scope_org[r.scope]] IS NOT NULL
        UNION ALL
        SELECT org_ids[b.org_at], b.key_id, b.day, b.month_start / 86400000, b.model,
          -back_units[b.at][1], -back_units[b.at][2], -back_units[b.at][3], -back_units[b.at][4]
        FROM unnest(back_org, back_key, back_day, back_month_start, back_model)
          WITH ORDINALITY AS b (org_at, key_id, day, month_start, model, at)
        WHERE month_used[b.org_at] IS NOT NULL
      ) AS part (org_id, key_id, day, first_day, model, requests, texts, tokens, cost)
      GROUP BY org_id, day, key_id, model, first_day
      HAVING sum(requests) <> 0 OR sum(texts) <> 0 OR sum(tokens) <> 0 OR sum(cost) <> 0
      ORDER BY org_id COLLATE "C", day, key_id COLLATE "C", model COLLATE "C"
    ) AS move (org_id, key_id, day, first_day, model, requests, texts, tokens, cost)
    HAVING count(*) > 0;

    RETURN QUERY
    WITH decided AS MATERIALIZED (
      SELECT org.*, GREATEST(decided_ms, org.month_start) / 86400000 AS day, scope_units[org.scope][1] AS requests,
        scope_units[org.scope][org.unit] AS counted
      FROM unnest(org_ids, org_scope, quotas, quota_units, kinds, row_kinds, month_starts, month_used, starts, used, has_limits, is_tight)
        WITH ORDINALITY
        AS org (id, scope, quota, unit, kind, row_kind, month_start, month_used, start, used, has_limits, is_tight, at)
      WHERE org.kind IS NOT NULL
    ),
    counted_by_window AS (
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT d.id, 'month', d.month_start, d.month_used + d.requests FROM decided d WHERE d.requests > 0
      UNION ALL
      SELECT d.id, d.row_kind, d.start, d.used + d.counted FROM decided d WHERE d.counted > 0 AND d.row_kind <> 'month'
      ON CONFLICT (org_id, window_kind) DO UPDATE SET window_start = excluded.window_start, used = excluded.used
    )
    SELECT d.at::INT, d.day, d.month_start, d.quota, d.unit, d.kind, d.start, d.used + d.counted, decided_ms,
      -- Null: all are granted.
      CASE WHEN d.is_tight THEN run_asks[first_run[d.at] : last_run[d.at]] END,
      CASE WHEN d.is_tight THEN refusing[first_run[d.at] : last_run[d.at]] END,
      CASE WHEN d.has_limits THEN (
        SELECT COALESCE(json_agg(json_build_object(
          'limitId', limit_ids[i], 'keyId', limit_keys[i], 'userId', limit_users[i], 'appliesTo', 'requests',
          'unit', COALESCE((ARRAY['requests', 'texts', 'tokens', 'cost'])[limit_unit[i]], 'requests_at_once'), 'window', limit_kinds[i], 'amount', amounts[i],
          'maxWaitMs', waits[i], 'startMs', limit_starts[i], 'used', limit_used[i] + COALESCE(scope_units[s.at][limit_unit[i]], 0), 'resetsAtMs', limit_ends[i]
        )), '[]')
        FROM generate_series(d.scope, COALESCE(org_scope[d.at + 1] - 1, cardinality(scope_org))) AS s (at)
        CROSS JOIN LATERAL generate_series(first_limit[s.at], last_limit[s.at]) AS i
      ) END
    FROM decided d;
  END $$
