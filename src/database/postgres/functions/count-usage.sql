-- Adds what was counted to the usage of keys by day, and to the sums of months and days. The arguments have one place for
-- each record, in order. Locks the tables and their rows in the order of add_usage, so that writers can't deadlock.
CREATE FUNCTION count_usage(
    org_ids TEXT[], key_ids TEXT[], days BIGINT[], first_days BIGINT[], models TEXT[],
    requests BIGINT[], texts BIGINT[], tokens BIGINT[], costs BIGINT[]
  ) RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    INSERT INTO usage_records AS u (org_id, key_id, day, model, counted, counted_texts, counted_tokens, cost)
    SELECT * FROM unnest(org_ids, key_ids, days, models, requests, texts, tokens, costs)
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET
      counted = u.counted + excluded.counted, counted_texts = u.counted_texts + excluded.counted_texts,
      counted_tokens = u.counted_tokens + excluded.counted_tokens, cost = u.cost + excluded.cost;

    INSERT INTO usage_monthly AS u (org_id, first_day, key_id, model, counted, counted_texts, counted_tokens, cost)
    SELECT d.org_id, d.first_day, d.key_id, d.model,
      sum(d.requests)::BIGINT, sum(d.texts)::BIGINT, sum(d.tokens)::BIGINT, sum(d.cost)::BIGINT
    FROM unnest(org_ids, first_days, key_ids, models, requests, texts, tokens, costs)
      AS d (org_id, first_day, key_id, model, requests, texts, tokens, cost)
    GROUP BY d.org_id, d.first_day, d.key_id, d.model
    ORDER BY d.org_id COLLATE "C", d.first_day, d.key_id COLLATE "C", d.model COLLATE "C"
    ON CONFLICT (org_id, first_day, key_id, model) DO UPDATE SET
      counted = u.counted + excluded.counted, counted_texts = u.counted_texts + excluded.counted_texts,
      counted_tokens = u.counted_tokens + excluded.counted_tokens, cost = u.cost + excluded.cost;

    INSERT INTO usage_by_day AS u (org_id, day, counted, counted_texts, counted_tokens, cost)
    SELECT d.org_id, d.day, sum(d.requests)::BIGINT, sum(d.texts)::BIGINT, sum(d.tokens)::BIGINT, sum(d.cost)::BIGINT
    FROM unnest(org_ids, days, requests, texts, tokens, costs) AS d (org_id, day, requests, texts, tokens, cost)
    GROUP BY d.org_id, d.day ORDER BY d.org_id COLLATE "C", d.day
    ON CONFLICT (org_id, day) DO UPDATE SET
      counted = u.counted + excluded.counted, counted_texts = u.counted_texts + excluded.counted_texts,
      counted_tokens = u.counted_tokens + excluded.counted_tokens, cost = u.cost + excluded.cost;
  END $$
