CREATE FUNCTION usage_roll_up_begin(of_org TEXT, month_first BIGINT, month_end BIGINT) RETURNS BIGINT VOLATILE LANGUAGE plpgsql AS $$
  DECLARE
    this_round BIGINT;
  BEGIN
    PERFORM FROM organizations o WHERE o.org_id = of_org FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    PERFORM FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    INSERT INTO usage_rolling AS r (org_id, first_day, end_day, round, after_day, after_key)
    VALUES (of_org, month_first, month_end, 0, -1, '')
    ON CONFLICT (org_id, first_day) DO UPDATE SET round = r.round + 1, after_day = -1, after_key = ''
    RETURNING r.round INTO this_round;
    DELETE FROM usage_rolled WHERE org_id = of_org AND first_day = month_first;
    RETURN this_round;
  END $$
