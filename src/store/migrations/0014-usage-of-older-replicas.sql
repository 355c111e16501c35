CREATE FUNCTION usage_of_older_replicas() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_records AS u (org_id, key_id, day, model, counted, cached, failed, texts, tokens)
    VALUES (NEW.org_id, NEW.key_id, NEW.day, '', NEW.counted, NEW.cached, NEW.failed, NEW.texts, NEW.tokens)
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET
      counted = u.counted + excluded.counted, cached = u.cached + excluded.cached,
      failed = u.failed + excluded.failed, texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens;
    RETURN NULL;
  END $$
