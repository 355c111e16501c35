CREATE FUNCTION quota_window_start(kind TEXT, at_ms BIGINT) RETURNS BIGINT STABLE LANGUAGE sql AS $$
    SELECT CASE kind WHEN 'none' THEN 0
      ELSE extract(epoch FROM date_trunc(kind, to_timestamp(at_ms / 1000.0), 'UTC'))::BIGINT * 1000 END
  $$
