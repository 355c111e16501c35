-- Adds a batch of usage records, unless it was added before, in one statement: a flush of the ledger waits for these rows,
-- so they must not stay locked over a round trip. Each statement of a VOLATILE function sees what was committed before it.
-- So the statements after the lock on the organizations know which of them were deleted.
CREATE FUNCTION add_usage(
    of_writer TEXT, batch BIGINT, org_ids TEXT[], key_ids TEXT[], days BIGINT[],
    more_cached BIGINT[], more_failed BIGINT[], more_texts BIGINT[], more_tokens BIGINT[], more_truncated BIGINT[],
    used_at BIGINT[], models TEXT[]
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

    PERFORM record_usage(
      array_agg(delta.org_id), array_agg(delta.key_id), array_agg(delta.day), array_agg(delta.model),
      array_agg(delta.cached), array_agg(delta.failed), array_agg(delta.texts), array_agg(delta.tokens),
      array_agg(delta.truncated)
    )
    FROM unnest(org_ids, key_ids, days, models, more_cached, more_failed, more_texts, more_tokens, more_truncated)
      AS delta (org_id, key_id, day, model, cached, failed, texts, tokens, truncated)
    JOIN organizations o ON o.org_id = delta.org_id;

    UPDATE function_sets SET used_at = now() WHERE suffix = '{suffix}' AND used_at < now() - INTERVAL '1 day';
  END $$
