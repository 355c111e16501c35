CREATE FUNCTION add_usage(
    of_writer TEXT, batch BIGINT, org_ids TEXT[], key_ids TEXT[], days BIGINT[],
    more_cached BIGINT[], more_failed BIGINT[], more_texts BIGINT[], more_tokens BIGINT[], used_at BIGINT[],
    models TEXT[] DEFAULT NULL
  ) RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    INSERT INTO usage_writers AS w (writer_id, last_batch, written_at)
    VALUES (of_writer, batch, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)
    ON CONFLICT (writer_id) DO UPDATE SET last_batch = excluded.last_batch, written_at = excluded.written_at
      WHERE w.last_batch < excluded.last_batch;
    IF NOT FOUND THEN
      RETURN;
    END IF;

    PERFORM FROM organizations o WHERE o.org_id = ANY (org_ids) ORDER BY o.org_id FOR SHARE;

    INSERT INTO key_activity (key_id, last_used_at)
    SELECT delta.key_id, max(delta.last_used_at)
    FROM unnest(org_ids, key_ids, used_at) AS delta (org_id, key_id, last_used_at)
    JOIN organizations o ON o.org_id = delta.org_id
    GROUP BY delta.key_id ORDER BY delta.key_id COLLATE "C"
    ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
      WHERE excluded.last_used_at > key_activity.last_used_at;

    INSERT INTO usage_records AS u (org_id, key_id, day, model, cached, failed, texts, tokens)
    SELECT delta.org_id, delta.key_id, delta.day, COALESCE(delta.model, ''), sum(cached), sum(failed), sum(texts), sum(tokens)
    FROM unnest(org_ids, key_ids, days, more_cached, more_failed, more_texts, more_tokens, models)
      AS delta (org_id, key_id, day, cached, failed, texts, tokens, model)
    JOIN organizations o ON o.org_id = delta.org_id
    GROUP BY delta.org_id, delta.key_id, delta.day, COALESCE(delta.model, '')
    ORDER BY delta.org_id COLLATE "C", delta.day, delta.key_id COLLATE "C", COALESCE(delta.model, '') COLLATE "C"
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens;

    PERFORM usage_touched(org_ids, days);
  END $$
