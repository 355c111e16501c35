CREATE FUNCTION quota_window_end(kind TEXT, start_ms BIGINT) RETURNS BIGINT IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE kind
      WHEN 'second' THEN start_ms + 1000
      WHEN 'minute' THEN start_ms + 60000
      WHEN 'hour' THEN start_ms + 3600000
      WHEN 'none' THEN 9007199254740991
      WHEN 'day' THEN start_ms + 86400000
      ELSE extract(epoch FROM (to_timestamp(start_ms / 1000) AT TIME ZONE 'UTC' + INTERVAL '1 month'))::BIGINT * 1000
    END
  $$
