-- Adds a batch of usage and entries of the request log, unless it was added before, in one statement: a flush of the ledger
-- waits for the rows of days, so they must not stay locked over a round trip. Each statement of a VOLATILE function sees what
-- was committed before it. So the statements after the lock on the organizations know which of them were deleted.
--
-- Locks the tables and their rows in the order of count_usage, so that writers can't deadlock. The rows of days come last,
-- because the ledger waits for them.
CREATE FUNCTION add_usage(of_writer TEXT, batch BIGINT, days JSONB, hours JSONB, entries JSONB)
  RETURNS VOID VOLATILE LANGUAGE plpgsql
  -- Flushes the writes to the disk as it goes. Otherwise the next checkpoint flushes all of them, and the commits of quota
  -- decisions wait for that.
  SET backend_flush_after = '256kB'
  AS $$
  #variable_conflict use_column
  DECLARE
    added usage_records[];
  BEGIN
    INSERT INTO usage_writers AS w (writer_id, last_batch, written_at)
    VALUES (of_writer, batch, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)
    ON CONFLICT (writer_id) DO UPDATE SET last_batch = excluded.last_batch, written_at = excluded.written_at
      WHERE w.last_batch < excluded.last_batch;
    IF NOT FOUND THEN
      RETURN;
    END IF;

    PERFORM FROM organizations o
    WHERE o.org_id IN (SELECT part ->> 'orgId' FROM jsonb_array_elements(days || hours || entries) AS part)
    ORDER BY o.org_id FOR SHARE;

    INSERT INTO request_log (
      org_id, at, request_id, key_id, user_id, model, status, error, outcome, texts, tokens, latency_ms, queue_ms,
      limit_id, param, lookup
    )
    SELECT e.*
    FROM jsonb_to_recordset(entries) AS e (
      "orgId" TEXT, at BIGINT, "requestId" TEXT, "keyId" TEXT, "userId" TEXT, model TEXT, status INT,
      error TEXT, outcome TEXT, texts BIGINT, tokens BIGINT, "latencyMs" DOUBLE PRECISION, "queueMs" DOUBLE PRECISION,
      "limitId" TEXT, param TEXT, lookup BIGINT
    )
    JOIN organizations o ON o.org_id = e."orgId";

    INSERT INTO usage_hours AS u (org_id, hour, key_id, model, outcome, error, latency_class, requests, texts,
      counted_texts, tokens, counted_tokens, truncated, cost)
    SELECT h.*
    FROM jsonb_to_recordset(hours) AS h (
      "orgId" TEXT, hour BIGINT, "keyId" TEXT, model TEXT, outcome TEXT, error TEXT, "latencyClass" INT, requests BIGINT,
      texts BIGINT, "countedTexts" BIGINT, tokens BIGINT, "countedTokens" BIGINT, truncated BIGINT, cost BIGINT
    )
    JOIN organizations o ON o.org_id = h."orgId"
    ORDER BY h."orgId" COLLATE "C", h.hour, h."keyId" COLLATE "C", h.model COLLATE "C", h.outcome COLLATE "C",
      h.error COLLATE "C", h."latencyClass"
    ON CONFLICT (org_id, hour, key_id, model, outcome, error, latency_class) DO UPDATE SET
      requests = u.requests + excluded.requests,
      texts = u.texts + excluded.texts, counted_texts = u.counted_texts + excluded.counted_texts,
      tokens = u.tokens + excluded.tokens, counted_tokens = u.counted_tokens + excluded.counted_tokens,
      truncated = u.truncated + excluded.truncated, cost = u.cost + excluded.cost;

    INSERT INTO key_activity (key_id, last_used_at)
    SELECT d."keyId", max(d."lastUsedAt")
    FROM jsonb_to_recordset(days) AS d ("orgId" TEXT, "keyId" TEXT, "lastUsedAt" BIGINT)
    JOIN organizations o ON o.org_id = d."orgId"
    GROUP BY d."keyId" ORDER BY d."keyId" COLLATE "C"
    ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
      WHERE excluded.last_used_at > key_activity.last_used_at;

    added := ARRAY(
      SELECT jsonb_populate_record(
        NULL::usage_records, part || jsonb_build_object('org_id', part -> 'orgId', 'key_id', part -> 'keyId')
      )
      FROM jsonb_array_elements(days) AS part
      JOIN organizations o ON o.org_id = part ->> 'orgId'
    );

    INSERT INTO usage_records AS u (org_id, key_id, day, model, cached, failed, texts, tokens, truncated)
    SELECT d.org_id, d.key_id, d.day, d.model, d.cached, d.failed, d.texts, d.tokens, d.truncated
    FROM unnest(added) AS d
    ORDER BY d.org_id COLLATE "C", d.day, d.key_id COLLATE "C", d.model COLLATE "C"
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens,
      truncated = u.truncated + excluded.truncated;

    INSERT INTO usage_monthly AS u (org_id, first_day, key_id, model, cached, failed, texts, tokens, truncated)
    SELECT d.org_id, month.first_day, d.key_id, d.model,
      sum(d.cached), sum(d.failed), sum(d.texts), sum(d.tokens), sum(d.truncated)
    FROM unnest(added) AS d
    CROSS JOIN LATERAL (SELECT quota_window_start('month', d.day * 86400000) / 86400000) AS month (first_day)
    GROUP BY d.org_id, month.first_day, d.key_id, d.model
    ORDER BY d.org_id COLLATE "C", month.first_day, d.key_id COLLATE "C", d.model COLLATE "C"
    ON CONFLICT (org_id, first_day, key_id, model) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens,
      truncated = u.truncated + excluded.truncated;

    INSERT INTO usage_by_day AS u (org_id, day, cached, failed, texts, tokens, truncated)
    SELECT d.org_id, d.day, sum(d.cached), sum(d.failed), sum(d.texts), sum(d.tokens), sum(d.truncated)
    FROM unnest(added) AS d
    GROUP BY d.org_id, d.day ORDER BY d.org_id COLLATE "C", d.day
    ON CONFLICT (org_id, day) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens,
      truncated = u.truncated + excluded.truncated;

    UPDATE function_sets SET used_at = now() WHERE suffix = '{suffix}' AND used_at < now() - INTERVAL '1 day';
  END $$
