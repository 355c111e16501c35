CREATE FUNCTION usage_touched(org_ids TEXT[], days BIGINT[]) RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
  DECLARE
    until BIGINT := usage_summed_until();
  BEGIN
    IF until IS NULL OR NOT EXISTS (SELECT FROM unnest(days) AS d (day) WHERE d.day < until) THEN
      RETURN;
    END IF;
    INSERT INTO usage_rolling AS r (org_id, first_day, end_day, round, after_day, after_key)
    SELECT DISTINCT o.org_id,
      extract(epoch FROM month.start)::BIGINT / 86400,
      extract(epoch FROM month.start + INTERVAL '1 month')::BIGINT / 86400, 0, -1, ''
    FROM unnest(org_ids, days) AS t (org_id, day)
    JOIN organizations o ON o.org_id = t.org_id
    CROSS JOIN LATERAL (SELECT date_trunc('month', to_timestamp(t.day * 86400) AT TIME ZONE 'UTC')) AS month (start)
    WHERE t.day < until
    ORDER BY 1, 2
    ON CONFLICT (org_id, first_day) DO UPDATE SET round = r.round + 1, after_day = -1, after_key = '';
  END $$
