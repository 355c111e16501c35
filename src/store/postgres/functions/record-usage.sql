-- Adds figures to the usage of keys by day, and to the sums of months and days. Locks the tables and their rows in the order
-- of count_usage, so that writers can't deadlock.
CREATE FUNCTION record_usage(
    org_ids TEXT[], key_ids TEXT[], days BIGINT[], models TEXT[],
    more_cached BIGINT[], more_failed BIGINT[], more_texts BIGINT[], more_tokens BIGINT[], more_truncated BIGINT[]
  ) RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    INSERT INTO usage_records AS u (org_id, key_id, day, model, cached, failed, texts, tokens, truncated)
    SELECT d.org_id, d.key_id, d.day, d.model, sum(d.cached), sum(d.failed),
      sum(d.texts), sum(d.tokens), sum(d.truncated)
    FROM unnest(org_ids, key_ids, days, models, more_cached, more_failed, more_texts, more_tokens, more_truncated)
      AS d (org_id, key_id, day, model, cached, failed, texts, tokens, truncated)
    GROUP BY d.org_id, d.day, d.key_id, d.model
    ORDER BY d.org_id COLLATE "C", d.day, d.key_id COLLATE "C", d.model COLLATE "C"
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens,
      truncated = u.truncated + excluded.truncated;

    INSERT INTO usage_monthly AS u (org_id, first_day, key_id, model, cached, failed, texts, tokens, truncated)
    SELECT d.org_id, month.first_day, d.key_id, d.model, sum(d.cached),
      sum(d.failed), sum(d.texts), sum(d.tokens), sum(d.truncated)
    FROM unnest(org_ids, key_ids, days, models, more_cached, more_failed, more_texts, more_tokens, more_truncated)
      AS d (org_id, key_id, day, model, cached, failed, texts, tokens, truncated)
    CROSS JOIN LATERAL (SELECT quota_window_start('month', d.day * 86400000) / 86400000) AS month (first_day)
    GROUP BY d.org_id, month.first_day, d.key_id, d.model
    ORDER BY d.org_id COLLATE "C", month.first_day, d.key_id COLLATE "C", d.model COLLATE "C"
    ON CONFLICT (org_id, first_day, key_id, model) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens,
      truncated = u.truncated + excluded.truncated;

    INSERT INTO usage_by_day AS u (org_id, day, cached, failed, texts, tokens, truncated)
    SELECT d.org_id, d.day, sum(d.cached), sum(d.failed),
      sum(d.texts), sum(d.tokens), sum(d.truncated)
    FROM unnest(org_ids, key_ids, days, models, more_cached, more_failed, more_texts, more_tokens, more_truncated)
      AS d (org_id, key_id, day, model, cached, failed, texts, tokens, truncated)
    GROUP BY d.org_id, d.day
    ORDER BY d.org_id COLLATE "C", d.day
    ON CONFLICT (org_id, day) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens,
      truncated = u.truncated + excluded.truncated;
  END $$
