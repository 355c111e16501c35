SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE FUNCTION public.flush_quota(tier_name text[], tier_requests bigint[], tier_takes_custom boolean[], org_ids text[], org_asks bigint[], run_org_at integer[], run_key_id text[], run_from bigint[], run_asks bigint[], back_org_at integer[], back_key_id text[], back_day bigint[], back_month_start bigint[], back_window_kind text[], back_window_start bigint[], at_ms bigint) RETURNS TABLE(org_at integer, granted integer, day bigint, month_start bigint, limit_requests bigint, window_kind text, window_start bigint, window_used bigint, now_ms bigint)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_material TO 'off'
    AS $$
  #variable_conflict use_column
  DECLARE
    decided_ms BIGINT;
    this_month_ms BIGINT;
  BEGIN
    INSERT INTO quota_windows (org_id, window_kind, window_start, used)
    SELECT o.org_id, 'month', 0, 0
    FROM organizations o
    WHERE o.org_id = ANY (org_ids)
      AND NOT EXISTS (SELECT FROM quota_windows w WHERE w.org_id = o.org_id AND w.window_kind = 'month')
    ORDER BY o.org_id
    ON CONFLICT DO NOTHING;

    PERFORM FROM quota_windows w
    WHERE w.org_id = ANY (org_ids) AND w.window_kind = 'month'
    ORDER BY w.org_id
    FOR NO KEY UPDATE;

    -- Read under the lock: of two flushes the later one never has the earlier time.
    decided_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', decided_ms);

    UPDATE quota_windows w SET used = w.used - back.units
    FROM (
      SELECT org_ids[b.org_at] AS org_id, counted.kind, counted.start, count(*) AS units
      FROM unnest(back_org_at, back_month_start, back_window_kind, back_window_start)
        AS b (org_at, month_start, kind, start)
      CROSS JOIN LATERAL (VALUES ('month', b.month_start), (b.kind, b.start)) AS counted (kind, start)
      GROUP BY 1, 2, 3
    ) AS back
    WHERE w.org_id = back.org_id AND w.window_kind = back.kind AND w.window_start = back.start;

    RETURN QUERY
    WITH limits AS (
      SELECT org.place::INT AS org_at, o.org_id, org.asks,
        CASE WHEN custom.agreed THEN o.limit_requests ELSE tier_requests[tier.at] END AS requests,
        CASE WHEN custom.agreed THEN o.limit_window ELSE 'month' END AS kind
      FROM unnest(org_ids, org_asks) WITH ORDINALITY AS org (org_id, asks, place)
      LEFT JOIN organizations o ON o.org_id = org.org_id AND o.tier = ANY (tier_name)
      CROSS JOIN LATERAL (SELECT array_position(tier_name, o.tier)) AS tier (at)
      CROSS JOIN LATERAL (
        SELECT tier_takes_custom[tier.at] AND o.limit_requests IS NOT NULL AND o.limit_window IS NOT NULL
      ) AS custom (agreed)
    ),
    -- A window that has passed starts again at zero; a later one than the clock's is kept.
    decided AS MATERIALIZED (
      SELECT limits.*, CASE
          WHEN limits.org_id IS NULL THEN 0
          WHEN limits.requests IS NULL THEN limits.asks
          ELSE LEAST(limits.asks, GREATEST(0, limits.requests - limited.used))
        END AS granted,
        GREATEST(decided_ms, month.start) / 86400000 AS day,
        month.start AS month_start, month.used AS month_used,
        limited.start AS limited_start, limited.used AS limited_used
      FROM limits
      LEFT JOIN quota_windows m ON m.org_id = limits.org_id AND m.window_kind = 'month'
      LEFT JOIN quota_windows l ON l.org_id = limits.org_id AND l.window_kind = limits.kind
      CROSS JOIN LATERAL (
        SELECT GREATEST(this_month_ms, m.window_start),
          CASE WHEN m.window_start >= this_month_ms THEN m.used ELSE 0 END
      ) AS month (start, used)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN limits.kind = 'month' THEN this_month_ms
          ELSE quota_window_start(limits.kind, decided_ms) END
      ) AS this_window (ms)
      CROSS JOIN LATERAL (
        SELECT GREATEST(this_window.ms, l.window_start),
          CASE WHEN l.window_start >= this_window.ms THEN l.used ELSE 0 END
      ) AS limited (start, used)
    ),
    counted_by_window AS (
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT d.org_id, 'month', d.month_start, d.month_used + d.granted FROM decided d WHERE d.granted > 0
      UNION ALL
      SELECT d.org_id, d.kind, d.limited_start, d.limited_used + d.granted
      FROM decided d WHERE d.granted > 0 AND d.kind <> 'month'
      ON CONFLICT (org_id, window_kind)
        DO UPDATE SET window_start = excluded.window_start, used = excluded.used
    ),
    -- As arrays, a run finds its organization by subscript: no join whose plan could go wrong.
    by_place AS MATERIALIZED (
      SELECT array_agg(d.granted ORDER BY d.org_at) AS granted, array_agg(d.day ORDER BY d.org_at) AS day
      FROM decided d
    ),
    counted_by_key AS (
      INSERT INTO usage_daily AS u (org_id, key_id, day, counted)
      SELECT org_ids[move.org_at], move.key_id, move.day, sum(move.units)::BIGINT
      FROM (
        SELECT r.org_at, r.key_id, by_place.day[r.org_at], LEAST(r.asks, by_place.granted[r.org_at] - r.skip)
        FROM unnest(run_org_at, run_key_id, run_from, run_asks) AS r (org_at, key_id, skip, asks), by_place
        WHERE by_place.granted[r.org_at] > r.skip
        UNION ALL
        SELECT b.org_at, b.key_id, b.day, -1
        FROM unnest(back_org_at, back_key_id, back_day) AS b (org_at, key_id, day)
        JOIN usage_daily u ON u.org_id = org_ids[b.org_at] AND u.day = b.day AND u.key_id = b.key_id
      ) AS move (org_at, key_id, day, units)
      GROUP BY move.org_at, move.key_id, move.day
      HAVING sum(move.units) <> 0
      ORDER BY org_ids[move.org_at] COLLATE "C", move.day, move.key_id COLLATE "C"
      ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted
    )
    SELECT d.org_at, d.granted::INT, d.day, d.month_start,
      d.requests, d.kind, d.limited_start, d.limited_used + d.granted, decided_ms
    FROM decided d
    WHERE d.org_id IS NOT NULL;
  END $$;

CREATE FUNCTION public.flush_quota_of_one(tier_name text[], tier_requests bigint[], tier_takes_custom boolean[], of_org text, asks bigint, run_key_id text[], run_from bigint[], run_asks bigint[], at_ms bigint, OUT org_at integer, OUT granted integer, OUT day bigint, OUT month_start bigint, OUT limit_requests bigint, OUT window_kind text, OUT window_start bigint, OUT window_used bigint, OUT now_ms bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
  #variable_conflict use_column
  DECLARE
    org RECORD;
    month RECORD;
    limited RECORD;
    tier_at INT;
    this_month_ms BIGINT;
    this_window_ms BIGINT;
    month_used BIGINT;
    on_day BIGINT;
    units BIGINT;
  BEGIN
    now_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', now_ms);
    on_day := now_ms / 86400000;
    IF cardinality(run_key_id) = 1 THEN
      WITH counted AS (
        UPDATE quota_windows w SET used = w.used + asks
        FROM organizations o
        WHERE w.org_id = of_org AND w.window_kind = 'month' AND w.window_start = this_month_ms
          AND o.org_id = of_org AND o.tier = ANY (tier_name)
          AND NOT (tier_takes_custom[array_position(tier_name, o.tier)]
            AND o.limit_requests IS NOT NULL AND o.limit_window IS NOT NULL)
          AND w.used + asks <= COALESCE(tier_requests[array_position(tier_name, o.tier)], 9223372036854775807)
        RETURNING tier_requests[array_position(tier_name, o.tier)] AS requests, w.used
      ),
      counted_by_key AS (
        INSERT INTO usage_daily AS u (org_id, key_id, day, counted)
        SELECT of_org, run_key_id[1], on_day, asks FROM counted
        ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted
      )
      SELECT c.requests, c.used INTO limit_requests, window_used FROM counted c;
      IF FOUND THEN
        org_at := 1;
        granted := asks;
        day := on_day;
        window_kind := 'month';
        month_start := this_month_ms;
        window_start := this_month_ms;
        RETURN;
      END IF;
    END IF;

    SELECT w.window_start AS start, w.used INTO month
    FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT o.org_id, 'month', 0, 0 FROM organizations o WHERE o.org_id = of_org
      ON CONFLICT DO NOTHING;
      SELECT w.window_start AS start, w.used INTO month
      FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    END IF;

    SELECT o.tier, o.limit_requests AS requests, o.limit_window AS kind INTO org
    FROM organizations o WHERE o.org_id = of_org;
    tier_at := array_position(tier_name, org.tier);
    IF tier_at IS NULL THEN
      RETURN;
    END IF;
    IF tier_takes_custom[tier_at] AND org.requests IS NOT NULL AND org.kind IS NOT NULL THEN
      limit_requests := org.requests;
      window_kind := org.kind;
    ELSE
      limit_requests := tier_requests[tier_at];
      window_kind := 'month';
    END IF;

    now_ms := COALESCE(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
    this_month_ms := quota_window_start('month', now_ms);
    month_start := GREATEST(this_month_ms, month.start);
    month_used := CASE WHEN month.start >= this_month_ms THEN month.used ELSE 0 END;
    IF window_kind = 'month' THEN
      window_start := month_start;
      window_used := month_used;
    ELSE
      this_window_ms := quota_window_start(window_kind, now_ms);
      SELECT w.window_start AS start, w.used INTO limited
      FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = org.kind;
      window_start := GREATEST(this_window_ms, limited.start);
      window_used := CASE WHEN limited.start >= this_window_ms THEN limited.used ELSE 0 END;
    END IF;

    org_at := 1;
    on_day := GREATEST(now_ms, month_start) / 86400000;
    day := on_day;
    units := CASE WHEN limit_requests IS NULL THEN asks
      ELSE LEAST(asks, GREATEST(0, limit_requests - window_used)) END;
    granted := units;
    IF units = 0 THEN
      RETURN;
    END IF;
    month_used := month_used + units;
    window_used := window_used + units;
    month.start := month_start;
    UPDATE quota_windows SET window_start = month.start, used = month_used
    WHERE org_id = of_org AND window_kind = 'month';
    IF window_kind <> 'month' THEN
      INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      SELECT of_org, org.kind, limited_start, limited_used
      FROM (VALUES (window_start, window_used)) AS limited (limited_start, limited_used)
      ON CONFLICT (org_id, window_kind) DO UPDATE SET window_start = excluded.window_start, used = excluded.used;
    END IF;
    INSERT INTO usage_daily AS u (org_id, key_id, day, counted)
    SELECT of_org, r.key_id, on_day, sum(LEAST(r.asks, units - r.skip))::BIGINT
    FROM unnest(run_key_id, run_from, run_asks) AS r (key_id, skip, asks)
    WHERE units > r.skip
    GROUP BY r.key_id
    ORDER BY r.key_id COLLATE "C"
    ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted;
  END $$;

CREATE FUNCTION public.quota_window_start(kind text, at_ms bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT extract(epoch FROM date_trunc(kind, to_timestamp(at_ms / 1000.0), 'UTC'))::BIGINT * 1000
  $$;

CREATE FUNCTION public.tell_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('embedgate_changes', NEW.org_id); END IF;
    IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('embedgate_changes', OLD.org_id); END IF;
    RETURN NULL;
  END $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.alert_settings (
    org_id text NOT NULL COLLATE pg_catalog."C",
    thresholds text NOT NULL,
    projection integer NOT NULL
);

CREATE TABLE public.alerts (
    alert_id text NOT NULL COLLATE pg_catalog."C",
    org_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    threshold bigint NOT NULL,
    window_kind text NOT NULL COLLATE pg_catalog."C",
    window_start bigint NOT NULL,
    limit_requests bigint NOT NULL,
    used bigint NOT NULL,
    exhausts_at bigint,
    raised_at bigint NOT NULL,
    acknowledged_at bigint,
    acknowledged_by text,
    CONSTRAINT alerts_kind_check CHECK ((kind = ANY (ARRAY['threshold'::text, 'projection'::text])))
);

CREATE TABLE public.api_keys (
    key_id text NOT NULL COLLATE pg_catalog."C",
    org_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    hint text NOT NULL,
    token bytea NOT NULL,
    status text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint,
    CONSTRAINT api_keys_status_check CHECK ((status = ANY (ARRAY['active'::text, 'revoked'::text])))
);

CREATE TABLE public.attempts (
    subject text NOT NULL COLLATE pg_catalog."C",
    window_start bigint NOT NULL,
    count bigint NOT NULL
);

CREATE TABLE public.credentials (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    provider_id text NOT NULL,
    account_id text NOT NULL,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at text COLLATE pg_catalog."C",
    refresh_token_expires_at text COLLATE pg_catalog."C",
    scope text,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.deliveries (
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    message_id text NOT NULL COLLATE pg_catalog."C",
    org_id text NOT NULL COLLATE pg_catalog."C",
    target_id text NOT NULL COLLATE pg_catalog."C",
    alert_id text COLLATE pg_catalog."C",
    type text NOT NULL,
    payload text NOT NULL,
    status text NOT NULL,
    attempts bigint NOT NULL,
    next_attempt_at bigint NOT NULL,
    claimed_until bigint NOT NULL,
    last_attempt_at bigint,
    last_outcome text,
    created_at bigint NOT NULL,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

CREATE TABLE public.installation (
    id bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT installation_id_check CHECK ((id = 1))
);

CREATE TABLE public.invitations (
    invitation_id text NOT NULL COLLATE pg_catalog."C",
    org_id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    role text NOT NULL,
    digest text NOT NULL,
    mailed integer NOT NULL,
    invited_by text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))
);

CREATE TABLE public.key_activity (
    key_id text NOT NULL COLLATE pg_catalog."C",
    last_used_at bigint NOT NULL
);

CREATE TABLE public.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL,
    until bigint NOT NULL
);

CREATE TABLE public.members (
    org_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))
);

CREATE TABLE public.notification_targets (
    target_id text NOT NULL COLLATE pg_catalog."C",
    org_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    address text NOT NULL,
    sealed_secret text,
    created_by text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    CONSTRAINT notification_targets_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'webhook'::text])))
);

CREATE TABLE public.organizations (
    org_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    tier text NOT NULL,
    limit_requests bigint,
    limit_window text,
    created_at bigint NOT NULL,
    revision bigint NOT NULL
);

CREATE TABLE public.quota_windows (
    org_id text NOT NULL COLLATE pg_catalog."C",
    window_kind text NOT NULL COLLATE pg_catalog."C",
    window_start bigint NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT quota_windows_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50');

CREATE TABLE public.schema_versions (
    version bigint NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

CREATE TABLE public.sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL,
    expires_at text NOT NULL COLLATE pg_catalog."C",
    ip_address text,
    user_agent text,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.two_factors (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified integer,
    failed_verification_count integer,
    locked_until text COLLATE pg_catalog."C"
);

CREATE TABLE public.usage_by_day (
    org_id text NOT NULL COLLATE pg_catalog."C",
    day bigint NOT NULL,
    counted bigint NOT NULL,
    cached bigint NOT NULL,
    failed bigint NOT NULL,
    texts bigint NOT NULL,
    tokens bigint NOT NULL
);

CREATE TABLE public.usage_daily (
    org_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    day bigint NOT NULL,
    counted bigint DEFAULT 0 NOT NULL,
    cached bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    texts bigint DEFAULT 0 NOT NULL,
    tokens bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='80');

CREATE TABLE public.usage_monthly (
    org_id text NOT NULL COLLATE pg_catalog."C",
    first_day bigint NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    counted bigint NOT NULL,
    cached bigint NOT NULL,
    failed bigint NOT NULL,
    texts bigint NOT NULL,
    tokens bigint NOT NULL
);

CREATE TABLE public.usage_rolled (
    org_id text NOT NULL COLLATE pg_catalog."C",
    first_day bigint NOT NULL,
    end_day bigint NOT NULL
);

CREATE TABLE public.users (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    email text NOT NULL,
    email_verified integer NOT NULL,
    image text,
    is_admin integer DEFAULT 0 NOT NULL,
    two_factor_enabled integer,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.vectors (
    key bytea NOT NULL,
    vector bytea NOT NULL,
    token_count integer NOT NULL,
    created_at bigint NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

CREATE TABLE public.verifications (
    id text NOT NULL COLLATE pg_catalog."C",
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C"
);

INSERT INTO public.alert_settings VALUES ('org_86ecdebaac63acd7c3ad0d90', '75,100', 0);

INSERT INTO public.api_keys VALUES ('key_84af9dfa28fa6c006c5faa45', 'org_86ecdebaac63acd7c3ad0d90', 'user_40daf1c0e15b113b2dee23f1', 'first key', 'e1ad44e8422ebbc8c92491df3174254baa7f5a5d7313fb3a52ec064fc7c0b547', 'sk_…57ca', '\xd2844da201270448e19e572720f087bda05861a5041a6ce36e9e061a6b023b1d666b65795f6964781c6b65795f383461663964666132386661366330303663356661613435666f72675f6964781c6f72675f3836656364656261616336336163643763336164306439306474696572646672656558408f07086a2f0ad211948b5b1591d2f824f4fd33a7d2f81b001d8a49cf0e194327b99094b1aa36034c595a725e34ffcc340769a1726383740dd1de6517b19b7508', 'active', 1795308317064, 1826844318000, NULL);
INSERT INTO public.api_keys VALUES ('key_47c5937a1a08dbb0b6daf6d1', 'org_86ecdebaac63acd7c3ad0d90', 'ada', 'laptop', '7d65d0c21a0fbfe3510da9b274ff116b01c58f30c1290a5546fd7b4c900008cd', 'sk_…e2ab', '\xd2844da201270448e19e572720f087bda05865a5041b0000003afff4417f061a6b023b1d666b65795f6964781c6b65795f343763353933376131613038646262306236646166366431666f72675f6964781c6f72675f38366563646562616163363361636437633361643064393064746965726466726565584004c718fc123ed698aaf2c0bdd798a1cc634a9b7513bbffbc0072c81fb50d943c93bbad43db71f1d30746ac6031e75992b8a2fec05681b3ec0caf194705e1ef02', 'active', 1795308317485, 253402300799000, NULL);
INSERT INTO public.api_keys VALUES ('key_0b1279a508a658e5c68fb95a', 'org_86ecdebaac63acd7c3ad0d90', 'ada', 'old', '488a951c8fe28cb82282d1ea7d62ccbdc585c8924160def99ff88d0d86e4a705', 'sk_…8ed5', '\xd2844da201270448e19e572720f087bda05865a5041b0000003afff4417f061a6b023b1d666b65795f6964781c6b65795f306231323739613530386136353865356336386662393561666f72675f6964781c6f72675f383665636465626161633633616364376333616430643930647469657264667265655840d00d34ac5d5833d2e85936063430d345b65e25c72657b8ad5366b15e02556dc89461f7151660db6c69d4a4f2c44a82aeebe28b39b7c31cbc715e0f1e10e41a02', 'revoked', 1795308317804, 253402300799000, 1795308318422);

INSERT INTO public.attempts VALUES ('a15c9f518da60f6e69e3d5c2f986dc42fec4073cccab1817934a5ca28f03753d', 1795308000000, 1);
INSERT INTO public.attempts VALUES ('fb5ce0d982f8d3889148a964c8fa80fb50e81e3ba832efc762c36aa02db546a5', 1795308000000, 1);
INSERT INTO public.attempts VALUES ('bd462dad8c39ae504b7e1960994bf1f6eace27dcc3f66c9b02fb449b851efdd0', 1795308000000, 1);

INSERT INTO public.credentials VALUES ('auth_9fdb7d07009e49ed1464aa04', 'user_40daf1c0e15b113b2dee23f1', 'credential', 'user_40daf1c0e15b113b2dee23f1', '5e71843bb62aa3db51f50a0f373168e8:3794a03fff9959f54ed87ed3ee33f6184cba1bd007b8008302dab5be25c87dda76d01a150e2200111ffda86c93e73112652462743b20cd3278dd715add1eabf7', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22T00:45:17.053Z', '2026-11-22T00:45:17.053Z');

INSERT INTO public.installation VALUES (1, 1795308316948);

INSERT INTO public.key_activity VALUES ('key_47c5937a1a08dbb0b6daf6d1', 1795308318894);
INSERT INTO public.key_activity VALUES ('user_40daf1c0e15b113b2dee23f1', 1795308319344);

INSERT INTO public.members VALUES ('org_86ecdebaac63acd7c3ad0d90', 'user_40daf1c0e15b113b2dee23f1', 'owner', 1795308317059);

INSERT INTO public.notification_targets VALUES ('target_c42ffb8932b16a78b9be527d', 'org_86ecdebaac63acd7c3ad0d90', 'webhook', 'https://example.com/hook', 'qOQimqL25YcufLOpJUqV630U8m6ISLk0OYOBOv6I+mgHu1jfP0azXrrZ0hFpCRQ9Z5WyEic0cdUAwrkzL6T6VYzb', 'user_40daf1c0e15b113b2dee23f1', 1795308319396);

INSERT INTO public.organizations VALUES ('org_86ecdebaac63acd7c3ad0d90', 'Default', 'free', NULL, NULL, 1795308316948, 4);
INSERT INTO public.organizations VALUES ('org_b5b53b6770d69bd66ebf1221', 'Acme', 'pro', NULL, NULL, 1795308318694, 1);

INSERT INTO public.quota_windows VALUES ('org_86ecdebaac63acd7c3ad0d90', 'month', 1793491200000, 3);

INSERT INTO public.schema_versions VALUES (1, '2026-11-22 00:45:16.359379+00');
INSERT INTO public.schema_versions VALUES (2, '2026-11-22 00:45:16.61004+00');
INSERT INTO public.schema_versions VALUES (3, '2026-11-22 00:45:16.698573+00');
INSERT INTO public.schema_versions VALUES (4, '2026-11-22 00:45:16.728208+00');

INSERT INTO public.sessions VALUES ('auth_5da5dc3370dc515e0a313ef3', 'user_40daf1c0e15b113b2dee23f1', '5L0EuqfbeYO2B5MElNDM3ah3l0IvGQbq', '2026-11-29T00:45:19.285Z', '', 'curl/7.88.1', '2026-11-22T00:45:19.286Z', '2026-11-22T00:45:19.286Z');

INSERT INTO public.usage_daily VALUES ('org_86ecdebaac63acd7c3ad0d90', 'key_47c5937a1a08dbb0b6daf6d1', 20779, 2, 1, 0, 3, 3);
INSERT INTO public.usage_daily VALUES ('org_86ecdebaac63acd7c3ad0d90', 'user_40daf1c0e15b113b2dee23f1', 20779, 1, 0, 0, 1, 1);

INSERT INTO public.users VALUES ('user_40daf1c0e15b113b2dee23f1', 'Administrator', 'admin@embedgate.internal', 0, NULL, 1, 0, '2026-11-22T00:45:17.053Z', '2026-11-22T00:45:17.053Z');

INSERT INTO public.vectors VALUES ('\x72e684296e7552d0f269bb61790156d460dbf3520d9038e65f741c51097b021e', '\x78a51bbdf26438bd8ab54d3d61694cbdbc744a3dce0a48bd5414c6bc50b44dbd8b864d3d85bf4cbd0ab9283d20e01a3d679d4dbd1a594cbd5aac4dbd5ab3413ded4b48bd3dd33fbdc9354d3d6eaf4c3d84ef21bc93974d3df4fa0c3d3e6f4bbd07214dbdcd9f3bbd22d2bfbce2994c3d54034dbd1e214dbdbe734dbd4426493da9104c3d5f2338bdd8cf4a3d7a5c683c42fc4cbd224d4dbd849e4d3d53fa37bdf114313d261f013dbee0a53addb34dbd64ef90bc99822c3dadb6413d4aac4d3ddaac4d3d3f334dbd5db24d3d2a254b3dac6748bd8451e43c20e4703ca1334bbd4bcc2bbd68483ebd27fa4bbd088cf9bca7b54dbd622a4d3dd4a94dbd523d49bda5a44d3dff4e3abdeda94dbd65ab4dbd7da84d3d930df63c3241f93ce21731bd45b54d3dcba44a3df54e673c1aa24d3de7a0473db2b54d3df81a4a3d8e5f403d20b44dbdd4ab2bbd1f1508bddd294bbdf172ecbc4f3b4a3d60ee4cbd6d9c4dbd57b04dbd7f9244bd6ab54dbd80b83abd1b3f4dbda4ac4dbd655f4dbd6f54253db0ba43bdc0b34dbd9045263da22c483db0b54dbd710b4b3d60874b3d36a64d3ddb19673b9d271bbdd41f32bc66600c3dee613bbd7d1d4d3d57864dbd549c4dbdfb85e53c50934dbda5a24c3db152233d554714bd8d084e3c16b1363dfd174dbd794d49bdd25105bd0636443df31f033b1bba4cbdec7d693c2c5b4dbd6f30433d5fae4d3d693d4cbd02312ebd10b54dbd1d1923bd05164b3d8c13373d94f74cbdedbb4cbd46b313bded6a42bd4075473d6db04dbd248f4dbda645033db9b14d3d821649bddab44d3d4f9e4d3daee81cbd812426bd18f50a3d581a42bd0fb54dbd423f49bd62c28abb01ad4d3dbd552fbdc04c3ebd3fc03bbdd43806bd94bb47bd8dcf473d347d4d3d929c4d3d2117483d4c3f113d453148bc256c433de3cf1fbd316f92bcfc89493d3004173dbea04d3d204e4dbd7f06d73cdfe64abd203f4d3d8481183dd0c4343d1db54d3d5c7649bdfd464abde89d4d3dd5874d3da18f49bd458b4b3d494043bde5a9343da0a54d3d543170bcf8784dbdb0b54dbdbdb9c1bb4bf74c3d9240b43bcc08fabcd5364d3d7d8b4d3d662a473d9d2214bd38b34d3d18f13d3d14a24d3db43f3bbd4f694dbd97974b3dadd5863c3f8f0c3d54734d3d0db72bbdb5b44d3d74f5f03c80dc343dca464d3dbc804d3d21b04dbde7243ebd92e04a3df56b0ebd5d544c3d9dd7473dc718fa3c759822bd8f05473db1b14dbd1965373daa4b4cbd0ed90e3d89504abd4eeb97bcbc864dbd03b24dbd7d55013d5ce34abdc220e43c56643a3d0db54d3debb44d3d27821bbddac7d03c9bb54d3d7a51efbae92f183dbec31b3db22332bd6c403e3dc83803bd25050e3d00954b3df145483de1e80d3da6861cbd671dbfbb1512d73cbfad4dbdf5eaacbc34924d3d67844cbd903ed3bcb2b34d3d3905843cbc9bda3c9ae34cbdf32274bb05b14d3df9a94dbd6ff0163d0a68413d3916443d2c951d3de1cc48bd2c48493d5805a43b7c8a473dd8ae4dbd669c4cbdb4984d3df28f4dbd178c9cbc34e14c3d699a1d3df6754c3dae92393df7414dbd403bed3c1595823c6bb54d3d511248bdb2b34d3dc0904c3d199443bd02624b3d43cd3d3da20c363d855e49bde04d4c3d8eb14dbd1ab54d3d4db44d3d7fa90fbd9cb24d3d4b584a3df6391f3dbdaf4d3df9964d3d426128bd73b7483da2243cbd66aa4d3d77cda13ca3944bbd3ea54d3d1dcb3cbd59c5a0bc4bb54d3d4dc7b73c8bb54dbd3ca9d6bce92f49bd59af4d3d1dbb333db74d4d3dfb6eb93cee9891bc176f4dbdc30e4d3d43f3383d77fc3ebdf34538bda1664dbdfab44dbdd620efbcd95342bde9094cbddc8b2fbd69ad4d3da8980bbd7e344d3d66b54d3d2d97b13c10a8f8bcc94733bd554a3bbd659446bde82b4cbde2ff4c3d1d263a3dcad14c3d65b54d3d0dd7453deb3d4c3d9ca24d3d3ea74d3d9f85f13c41e543bdba83c6bc4eda9c3cd05ee93cc87b4a3d8c07a93c3e0c87bced294d3d4daf4d3d691392bcc2e5a4bcd70649bdf6284dbda0b44d3d47a7f1bcecbc3abd04962abd07b54dbd290a3ebda6190dbdc95219bd040a4dbd55ab4d3d0911093db97931bd15a64d3d2dad4a3d96d430bc6aab4d3dffa44dbde3864d3d1fef4c3db826133dc15030bdbd493cbd9ad92e3dcbbf14bd8c9141bd6aa04dbd97794dbd9b274dbd0c82d43c3a924d3d9fa84d3df54f47bdaf8b4dbdd5b04dbd59034d3d96b54d3d34d840bc4c6d143df87034bd45ea213b5790f53c454a313d3a9e4c3da5eb1cbd8a5a4cbd7eb54dbdb1b44dbd3625473d826b283df9a94dbde2b34dbd9f6d4dbd54b44d3d97aa4d3da93b483dea28ba3c4f1f3e3da7734dbd76f0103d63a94a3db5084a3dad7937bd9a4b39bd3d354abd8693483d23b44d3d126b183d4996debc4e6d48bd1afe4abdcbf430bdfb46cd3cb2344c3d88b44dbdea4f4dbda3f646bde7aa4d3db7a94d3d5cca573c01e5393d6ab54d3d1aad4dbdfdb2223d41b34d3d08d64c3d52934c3d64b4013deaa643bd5f1b4d3d39f74bbdd9fa48bd9d994dbdd5604d3dde21bebc85614d3d0f3f133dc93f4dbd32a1083dcf034d3d4e784d3de9ad4dbd83174d3d3e244a3dcab44dbd9b9a4d3d0c1945bd18c44c3d2774a93c01744d3d04ae043db9ff3f3dc31f4d3d024f093d2fb24dbd31a927bd3572043d63e5293d4bb44d3d162c4cbd0d7b2f3d86b44d3dae924dbd31c94bbd1ec1cbbc24c84abd4ca44d3d4e354c3d12762c3dfcbcc6bc392543bd718648bde67a4dbdef5e033d880f4b3dc91143bd2eb3b3bcb5894cbdb4d198bccef0733cb2b54d3d40ad4d3d74e63c3d4b7d0abde4ac4dbd0dc4583cfa59403d', 1, 1795308318866);
INSERT INTO public.vectors VALUES ('\x5a7d6ffbac007c227d063ba55d65d43af2b7524b67c602f92cd255156889288a', '\x61f217bdc64ee9bc751b4a3dd1d549bdc8e2493d10c249bd5049173d40174abd96db493df4ea48bd27be483d7312493d05114abdaad248bd7acf49bd3c299ebc6f134abddc96ffbc1eda493de2024a3d8b0149bd45194a3dcb89dfbc136939bd650f4abd6d13433d30ad493d36050f3d791a4abdbdf649bdf68030bdbd64463de4f8443d357749bd6df9493d16c6353daaf345bd44184abd87174a3d537849bd27b32abd00af493d782d403d981d4abdead746bd43d7f13c54c5a7bb7e82483d9f1d4a3df8e749bd5f1a4a3dc66b493d0e4448bd72b6323d9b3a1a3d92d404bdbef549bd8babe03cdffc49bdba18e1bcd71c4abdd1b3493d25144abd9d4b49bd44e3493d3e7a18bd44194abd63fb49bd9dea493d4e1b4a3d726c3a3dc4fe48bd2c1d4a3d281d4a3d9a881d3d2b69473d241a493da91d4a3de3184a3dff6b483d642242bde5113ebdb9114abd3358433d48c348bd2bd601bda8fec6bc3c1d4abd29184abd245a09bcacbd49bd215747bda4a943bd44fc49bdd21a4abdb5da113df2461ebddb164abd4a7c493d791c4a3db41c4abdb78e433d7cdb1b3d6abc483d35fe493d63e8763b372e11bdef7a493d012a48bd4335443d155b48bd441c4abdeaa032bd2e4832bd70e6483de7054abd01f343bd4f0945bdacc809bdae6549bd2d1d4abdf1a5473d1f41443d44d7483d97124abda63742bd61dc49bd7a0cb9ba9f1b4a3d601d4abdab020ebdd31c4abd0c9288bcbad9493ddd8a05bd793448bd9ffa49bdcb2840bd6d6b49bd951a4a3dc2d048bd201d4abdf112303d74144a3d14b0e43b77bf493d978a473df122f6bcc4d098bc04e0c1bcab8023bd882b46bda0f149bd570cb23b31114a3dcda149bdbd34573c87a2e03c7a71323dfb1546bd9ebe45bd52044a3dc5fd493d51054a3df930493dd3154abd2c104a3d47048dbc0b19ebbbf27eb3bc1e7d20bd2c95493d701d4abd9fec2e3d741b4abd867e463dd7f33f3d26c7493df31c4a3d412940bdd4b549bd1c114a3dafa7493d98bd48bd2185493db765d9bc7cfb493d9d1d4a3dc0bef73cc61c4abd9f1d4abd5019f63ba51c4a3de945b93c3bc92ebdaa164a3d90144a3ddff63d3d860b2f3de1d7493d3cba383d45ef493d4c0a25bdc7db48bde9d3493d6841fdbc6dd9423db51b4a3dfd1b4abda71d4a3df5f848bd191d4a3d8f69493d2fbe483d4efc49bd106f47bdfb1c4a3df63040bd74be493dc9094a3da13e3d3d0b16dd3cb04407bd811d4abdd142333d01164abd124c623c671f49bd954b3bbc951d4abd10d81cbd9289473dd72b47bdc144963c9e2d483da91d4a3d01c2493dacb0d03c90ff453dd7184a3d864e453d07681abd9f66283d5c56cd3c12e73a3d0f2e18bd36753bbd575421bd7ed7483d2d8b38bdd88fcc3c447ebbbc9829463d970f4abd7aad0cbc731d4a3d509847bdf0db30bd71d9483d5b8b3fbc8c31453de5184abd18afcc3ca71d4a3d309044bdaa63413d0d13483dabb53f3d520bbdbc65d5deb9dacf443da73eaebc3ae9b73ca9e147bd6d0a4abdc593493d1b433ebdf69449bd43164a3dc186853c5af9483de722203d43104abdd9ce1b3d1f9849bd27b9483dba4e34bd50f3493d5f2930bdf5af40bdccdf493db1dd3bbdad164a3db41149bddf1a4a3d7ddd48bd05de493d1ae2493d827366bc6ce4493d151d493dad073f3deceef2bcf6134a3d3b000abd9fac04bd53b710bcc6154a3dfd1147bdee124abd8599483d3d5c493d8050083d18024a3db78f163da41d4abdb108493dc3de24bda3fa493df253443d9b28443dd1fd803c47c2efbb322f42bd2cfd493da96726bc77134abd5c7148bda11d4abda71d4abdba306a3c834b413ad0f048bd72e62b3dd2dc413df83f253de609c83c211d4a3d03dd003d44b143bdd2bf44bdc88048bd5f3f43bd713645bdf8174a3de202483d34fe23bd4db3493d3699483d83084a3de81c4a3d82213d3ddef122bde9ac45bdbafe48bdd9a4ea3c4b5fdcbceef4493d3ef449bd85db2bbdef4bdc3c931f453da3ea49bdf6e317bcf1124abd3a972ebd89154a3ddf402fbd6a6049bdfac03abd11b049bd5c0348bde5014abd8351c33c85dc15bd049e453da9b947bdc11039bd3b9e493dd27d433d818f48bd83114a3df9164abdc51c4a3d69be483d8fc82e3d60a949bdfa7dfdbcd178dcbc3c5fecbc3dc748bd7d0c4abd421b4abdee9549bdd7b4473d87c9493d96e9493dbe2410bd4aff49bd991d4abdb1174a3d67174a3d1f5c383dd982f83cabf1113b8253163ba48d493df12c3c3d1785493d798a463d190b4abd3c1d4abd409c3ebd3a8822bd71a8473ddb054abdf1dc49bdb81f49bd05d0493d0a1d4a3d0aa6253d36d9133dd91eeebce2fe49bd8313b0bc0f70493d96e1493d47521fbd81dd40bd62102fbd03c2493dc0c8493d4f1bc43ca2ac183d5bf048bdc40f4abde5174abd2e8f43bdaa560e3c7f1c4abd3a6548bd637848bd5a054a3d8e2e493dea3a12bc7782333de5114a3def4846bddffd463d0c7e493d3bef433d9d6c483d4605d0bcc205cabce830fc3ce796fc3c8e124abd6ab40dbd4f1c4a3d870447bce9c12d3dec9849bda7de43bd068949bdde391bbcdb184a3d3a3048bd291d2c3d3e1b4a3d0c1d4abda01d4a3d85de34bbffd02f3da419413dce1b4a3d99e5473d0dd5493d831d4a3d99ce3d3db7124abd51fb48bd67dbf93be11a473da308ec3c4e9237bac8b93f3de28a493df72135bd33f537bdadad40bd4b164abdb161233dbf28383dcac5493d73104abd403a47bde5064abd65f928bd0e1d4a3d3660453d302c47bd129c48bdf3725b3c7481493de08d073ca91d4a3d25144a3d7544403d18ca34bd6f1a4abdd71a493d1c50033d', 1, 1795308318884);
INSERT INTO public.vectors VALUES ('\x564edeba0d7c55cf41793eef2d5c4e4881f55a229ddca8b50a45ecaf86958bbc', '\x4f8a003d7d05dcbc0a79473da79446bd235e433d3e7147bd25ba40bdb55f47bd1780473dbd6c46bdf7d5443d73e7463dde7e47bda30941bdba4447bd48e2ed3b3b5447bd7847e4bb51ef463d8671453d041646bd7672473db65c113d0f96f1bcb62e47bd0784453d80a5453d398e453d008047bdfa7c46bdd2992cbd023d463da89c1e3d22fe46bd3d7c473d784c473d465146bd437947bd817e473de96847bdf7703abdd47d473d40a13a3d3e7b47bd6cda593c29f6233d76f005bd1252473de680473dc14f47bde780473dc2c4463d3edc41bd8fb2263df4811a3d8afd3abdd50747bdac652f3d200625bd4e5c3abde08047bd4ad4413d844447bda9c705bd3c3d443dd4d446bd678047bd3d7f47bd9e183f3d6480473dd339093dae673dbd8080473dde73473d488e033db71d443da94a473df580473d7e7f473d0c72283d323e46bd252647bd927647bd790f353de52047bdbec288bcf09a2abc936447bdb28047bd0bd23cbc877e47bd48a945bd153a2fbd647d47bdb98047bdbfd5413dd2f145bd6a7d47bd2167473db47f473df28047bdb9113f3d238458bc2f73403da4e0453dca9c1e3dbc70c0bc2b74473d73d119bd2aa9443dc12447bd7d7b47bd6d0e3dbd70fd38bc7175093d2f1b47bd4194043d861247bdeffb40bd296f41bd9b7f47bd548b433d2044473d8eea353ddc8047bd27cc46bd5cfa46bdc6aae43cd780473de58047bde9db45bd106d47bd87af4fbc6fa6343d39fb45bd0c5141bd24a044bdc32935bd876b47bdde65473d3d5647bd4e7f47bd54f3453df262473d5a2c1e3dd83c473dd5a8463dbd4c10bce6cababc7de82abdd97b29bdad6d47bdcd6146bd258d803cee68473d576d47bdf56b41bd140a14bc25cd3c3dd1d80cbd21e845bd4344373d3952473dae43473d4b6e473d4f6647bd2a6d473dcef70bbc21acfb3cff159f3ca95d47bd3419473df07f47bd9c45873c5b0847bd05c12c3dec53453dba47473d5980473dad1819bd422030bd5d74473d2e7c463d09cc46bd9ba3463d9f36263daad4463df480473d5923993ccd6747bdf78047bd107d46bd854d473d9db9a03c7e5835bd15eb453d907f473d6a69213db382403dee80473d1097383d8c7d463d10d59dbc2c1747bd9ade413ddef141bd0856473d4677473db07f47bda580473dcbb81dbdf17e473d2d76473dcc30443d4ee746bd272247bdee80473d3bea45bdee69473d30c5453df0f35a3ceb00d8bc6c6423bdc65f47bd0844443d92d945bd332854bc427647bdb44205bdec8047bd3a1e47bdc2c63a3d206a46bdb0c3a2bc327e473df580473d605f473de028acbcec4e3e3d9380473da818433d14fd24bd35f92a3d31ce36bd4e543e3dd3f937bd4b8046bd36f22dbd4150473d209329bd092631bd1e0ffdbce06a403d217e47bdebb2b53c8880473d2f0147bd633c3dbdac09473d906be0bc5df5453d8e8047bd9e7c1ebde480473dcaeb3fbd823c453d0e73463d9d04453d250e20bd3227473db658433d956712bd9c8805bc0b2a47bd7f3d47bd3f7a473ddb9e3dbdb73a46bd8680473d6a5ff1bcf180473dfc2c453dbf7f47bd436c473d457247bd4a7c473de49539bd7874473d991747bd00ae3abd1861093d427939bd2180473d473847bd587e473d3aaa42bdef65473dc370473d9f699c3b8de1453df797223da44f2b3ded729bbc1c04473d70da3bbdb49213bd9d113abd267a473ddd1a46bdb8be46bdb749453df016473d58e0af3c3b5c473dd75e453df48047bdb302003d7bac083b9f103f3d845b3c3dce991c3d17862f3dd54747bd65afe5bc827f473dbf1746bd1d5b47bdaf4a44bddc8047bdd28047bd65ab723c16bf2abdcdc63abd853c3e3df64b3f3dbdcfb53b4c69463d5580473d24e2443de6c423bd06312cbdfde646bde63c47bdf00742bdc15c473ddce9463dbcb887bc125b473d631a3c3d1225473db180473d08741e3d67a6ec3c7c2132bd0ab840bd84c3e6bbe48b3ebd72a6313db06547bd0fb9993cd1a53a3d2de2463d231345bd7d4547bdc74147bd614042bd716e473df441e0bc173e47bdc9e01abde66943bd458146bd574747bda4223ebd114c713cbb79403d146c47bdd212723c29de463d6c76473dcf2b47bdfc7f473d843a47bdeb80473d04f9443d86dac33c256244bd973744bd859443bd133126bde68b40bdc76244bd007f47bd5bc82fbd57ce403db3a2463dd0d8463d7b6c45bdf15747bdd78047bdaaaf463d5b7d473d9046463dd7c919bd49643fbdc82b3fbdf4c9453d269c2dbda46c473db5bddd3c5b4f47bdc48047bd60bdaf3cba14f8bcd0d0453df1d746bd077847bdcade46bdae7a473de080473de76bfb3c3167463db98b3bbd6a7747bd61287fbc7ac73c3d6465473d3457d7bb547339bd456445bd760a453de476473d964e1dbd80283c3de905a43c847f47bdb47347bd854043bd5716363da48047bd5e0944bdb47047bda558473d0284453da03806bd8891be3b0a7f473d35923ebd5ef2433db933473dc317843cca6f3f3d9af64e3afd2342bd6f6336bd5272d03c108047bd83e29c3c3a80473d29e337bdaf1d413d877547bd744046bd6a6b44bd23aa9abc9d7d473d6a7147bdd356413d8b75473d667347bdea80473dec14433d021c443da653473dde7d473d6472453d817f473da668473d5816313d2eb146bd253f47bd7df48a3b2fa2243d987a233dd17ab7bc2158353d19ed443d1104fbbcc3b543bdfd4f47bdf77f47bdff7f043d86a2423d5620423daa7947bd664145bd369f44bd9f530dbd1f7d473daccc403d8a2a47bdce3b3abd6ef1c2bc1c99463d96ab92bcf580473dbc7f473d2507b83cca9b41bde08047bd882d473da348323d', 1, 1795308319347);

ALTER TABLE ONLY public.alert_settings
    ADD CONSTRAINT alert_settings_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_org_id_window_kind_window_start_kind_threshold_key UNIQUE (org_id, window_kind, window_start, kind, threshold);

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (alert_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_provider_id_account_id_key UNIQUE (provider_id, account_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_org_id_email_key UNIQUE (org_id, email);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (invitation_id);

ALTER TABLE ONLY public.key_activity
    ADD CONSTRAINT key_activity_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (org_id, user_id);

ALTER TABLE ONLY public.notification_targets
    ADD CONSTRAINT notification_targets_pkey PRIMARY KEY (target_id);

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.quota_windows
    ADD CONSTRAINT quota_windows_pkey PRIMARY KEY (org_id, window_kind);

ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_key UNIQUE (token);

ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY public.usage_by_day
    ADD CONSTRAINT usage_by_day_pkey PRIMARY KEY (org_id, day);

ALTER TABLE ONLY public.usage_daily
    ADD CONSTRAINT usage_daily_pkey PRIMARY KEY (org_id, day, key_id);

ALTER TABLE ONLY public.usage_monthly
    ADD CONSTRAINT usage_monthly_pkey PRIMARY KEY (org_id, first_day, key_id);

ALTER TABLE ONLY public.usage_rolled
    ADD CONSTRAINT usage_rolled_pkey PRIMARY KEY (org_id, first_day);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.vectors
    ADD CONSTRAINT vectors_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (id);

CREATE INDEX api_keys_by_organization ON public.api_keys USING btree (org_id, created_at);

CREATE INDEX credentials_by_user ON public.credentials USING btree (user_id);

CREATE INDEX deliveries_by_organization ON public.deliveries USING btree (org_id, created_at);

CREATE INDEX deliveries_by_target ON public.deliveries USING btree (target_id, created_at);

CREATE INDEX deliveries_due ON public.deliveries USING btree (status, next_attempt_at);

CREATE INDEX invitations_by_email ON public.invitations USING btree (email);

CREATE INDEX members_by_user ON public.members USING btree (user_id);

CREATE INDEX notification_targets_by_organization ON public.notification_targets USING btree (org_id, created_at);

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);

CREATE INDEX vectors_by_age ON public.vectors USING btree (created_at);

CREATE INDEX verifications_by_identifier ON public.verifications USING btree (identifier);

CREATE TRIGGER api_keys_changed AFTER INSERT OR DELETE OR UPDATE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.tell_change();

CREATE TRIGGER organizations_changed AFTER INSERT OR DELETE OR UPDATE ON public.organizations FOR EACH ROW EXECUTE FUNCTION public.tell_change();

ALTER TABLE ONLY public.alert_settings
    ADD CONSTRAINT alert_settings_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organizations(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organizations(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organizations(org_id);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_target_id_fkey FOREIGN KEY (target_id) REFERENCES public.notification_targets(target_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organizations(org_id);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organizations(org_id);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notification_targets
    ADD CONSTRAINT notification_targets_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organizations(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
