PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE alert_settings (
        org_id TEXT PRIMARY KEY REFERENCES organizations (org_id) ON DELETE CASCADE,
        thresholds TEXT NOT NULL,
        projection INTEGER NOT NULL
      );
INSERT INTO "alert_settings" VALUES('org_d4c3a91d9d291b987595377d','75,100',0);
CREATE TABLE alerts (
        alert_id TEXT PRIMARY KEY,
        org_id TEXT NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('threshold', 'projection')),
        threshold BIGINT NOT NULL,
        window_kind TEXT NOT NULL,
        window_start BIGINT NOT NULL,
        limit_requests BIGINT NOT NULL,
        used BIGINT NOT NULL,
        exhausts_at BIGINT,
        raised_at BIGINT NOT NULL,
        acknowledged_at BIGINT,
        acknowledged_by TEXT,
        UNIQUE (org_id, window_kind, window_start, kind, threshold)
      );
CREATE TABLE api_keys (
    key_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (org_id),
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    token BLOB NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
  );
INSERT INTO "api_keys" VALUES('key_0d2c5c1a482444d2592eba0c','org_d4c3a91d9d291b987595377d','user_ce9d3eb9f61a0fc0e8a2d3e6','first key','0038cc8c4c8a0c784b5a9391557ca44929f855d0c8659a234b1a467191f15b38','sk_…90b1',X'D2844DA201270448E19E572720F087BDA05861A5041A6CE36E97061A6B023B16666B65795F6964781C6B65795F306432633563316134383234343464323539326562613063666F72675F6964781C6F72675F643463336139316439643239316239383735393533373764647469657264667265655840B0B5E8D579EEB4649696FC534770EF5DCB4989C9701BE4893221E85C0410E3B6B3668C3709881F2864B71DF36686B1BE33BD36879EAAC48791C7B4D7F8997B06','active',1795308310093,1826844311000,NULL);
INSERT INTO "api_keys" VALUES('key_a816fab8411a802518e7e231','org_d4c3a91d9d291b987595377d','ada','laptop','410a363da2a5ed348fb569e26827082d60f214bef0088b6f5ea536963261e90e','sk_…c0f3',X'D2844DA201270448E19E572720F087BDA05865A5041B0000003AFFF4417F061A6B023B16666B65795F6964781C6B65795F613831366661623834313161383032353138653765323331666F72675F6964781C6F72675F643463336139316439643239316239383735393533373764647469657264667265655840C6B9CC45A6A8A8AF44E51D864775AF6545F2658ECA2400A6AE9D3D972CAFB9D20B04398C357468249F838D2C1990FF4CC29B720AD8C5D07C4999C15AE9954404','active',1795308310804,253402300799000,NULL);
INSERT INTO "api_keys" VALUES('key_9243fcdb6553aba451a68fb7','org_d4c3a91d9d291b987595377d','ada','old','fde937ffb3dfae7e13db2fbe4ee27b9b6f8031cf7f347b1794e9bede700cf6eb','sk_…3b06',X'D2844DA201270448E19E572720F087BDA05865A5041B0000003AFFF4417F061A6B023B17666B65795F6964781C6B65795F393234336663646236353533616261343531613638666237666F72675F6964781C6F72675F6434633361393164396432393162393837353935333737646474696572646672656558409CFE162E01C5ACDC3E57C3234C6DA31E90D3366A417F54313CFE5AA99D751A3BFD66ECE0E6E41D357C4C63A62543774BD2DB691FA03D257522F901135D838109','revoked',1795308311166,253402300799000,1795308311723);
CREATE TABLE attempts (
    subject TEXT PRIMARY KEY,
    window_start BIGINT NOT NULL,
    count BIGINT NOT NULL
  );
INSERT INTO "attempts" VALUES('a15c9f518da60f6e69e3d5c2f986dc42fec4073cccab1817934a5ca28f03753d',1795308000000,1);
INSERT INTO "attempts" VALUES('fb5ce0d982f8d3889148a964c8fa80fb50e81e3ba832efc762c36aa02db546a5',1795308000000,1);
INSERT INTO "attempts" VALUES('bd462dad8c39ae504b7e1960994bf1f6eace27dcc3f66c9b02fb449b851efdd0',1795308000000,1);
CREATE TABLE changes (counter INTEGER NOT NULL);
INSERT INTO "changes" VALUES(9);
CREATE TABLE credentials (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    password TEXT,
    access_token TEXT,
    refresh_token TEXT,
    id_token TEXT,
    access_token_expires_at TEXT,
    refresh_token_expires_at TEXT,
    scope TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (provider_id, account_id)
  );
INSERT INTO "credentials" VALUES('auth_06c9a58ad7f8d223d7d71b88','user_ce9d3eb9f61a0fc0e8a2d3e6','credential','user_ce9d3eb9f61a0fc0e8a2d3e6','3086d65998653c6800285ed001bed902:24e20658bae1de901f78814bb767fc5c057d61daa69c9f18361a58e2a12a9180164ef384afddeb214575dfd7a497df5095100a9848e922848025ace4ed290519',NULL,NULL,NULL,NULL,NULL,NULL,'2026-11-22T00:45:10.073Z','2026-11-22T00:45:10.073Z');
CREATE TABLE deliveries (
        delivery_id TEXT PRIMARY KEY,
        message_id TEXT NOT NULL,
        org_id TEXT NOT NULL,
        target_id TEXT NOT NULL REFERENCES notification_targets (target_id) ON DELETE CASCADE,
        alert_id TEXT,
        type TEXT NOT NULL,
        payload TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
        attempts BIGINT NOT NULL,
        next_attempt_at BIGINT NOT NULL,
        claimed_until BIGINT NOT NULL,
        last_attempt_at BIGINT,
        last_outcome TEXT,
        created_at BIGINT NOT NULL
      );
CREATE TABLE installation (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    created_at BIGINT NOT NULL
  );
INSERT INTO "installation" VALUES(1,1795308309627);
CREATE TABLE invitations (
    invitation_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (org_id),
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    digest TEXT NOT NULL UNIQUE,
    mailed INTEGER NOT NULL,
    invited_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (org_id, email)
  );
CREATE TABLE key_activity (
    key_id TEXT PRIMARY KEY,
    last_used_at BIGINT NOT NULL
  );
INSERT INTO "key_activity" VALUES('key_a816fab8411a802518e7e231',1795308312368);
INSERT INTO "key_activity" VALUES('user_ce9d3eb9f61a0fc0e8a2d3e6',1795308313168);
CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        until BIGINT NOT NULL
      );
INSERT INTO "leases" VALUES('alerts','run_e843a01aa4aee9a5bc415b47',1795308339164);
CREATE TABLE members (
    org_id TEXT NOT NULL REFERENCES organizations (org_id),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id)
  );
INSERT INTO "members" VALUES('org_d4c3a91d9d291b987595377d','user_ce9d3eb9f61a0fc0e8a2d3e6','owner',1795308310085);
CREATE TABLE notification_targets (
        target_id TEXT PRIMARY KEY,
        org_id TEXT NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('email', 'webhook')),
        address TEXT NOT NULL,
        sealed_secret TEXT,
        created_by TEXT NOT NULL,
        created_at BIGINT NOT NULL
      );
INSERT INTO "notification_targets" VALUES('target_aa199b97962d3a4f95087020','org_d4c3a91d9d291b987595377d','webhook','https://example.com/hook','ne/Ve3DR8tNad3jDIUm1W9u9lfCcfaWLuoOMf4cEl/Z9gQRQDSBYjcCxbOVzPTMfnqJ5z0dIcmX6ILRgV0YftUIt','user_ce9d3eb9f61a0fc0e8a2d3e6',1795308313218);
CREATE TABLE organizations (
    org_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    tier TEXT NOT NULL,
    limit_requests BIGINT,
    limit_window TEXT,
    created_at BIGINT NOT NULL,
    revision BIGINT NOT NULL
  );
INSERT INTO "organizations" VALUES('org_d4c3a91d9d291b987595377d','Default','free',NULL,NULL,1795308309627,4);
INSERT INTO "organizations" VALUES('org_e7d475575296d6bf2f8defd5','Acme','pro',NULL,NULL,1795308312036,1);
CREATE TABLE quota_windows (
    org_id TEXT NOT NULL,
    window_kind TEXT NOT NULL,
    window_start BIGINT NOT NULL,
    used BIGINT NOT NULL CHECK (used >= 0),
    PRIMARY KEY (org_id, window_kind)
  );
INSERT INTO "quota_windows" VALUES('org_d4c3a91d9d291b987595377d','month',1793491200000,3);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    expires_at TEXT NOT NULL,
    ip_address TEXT,
    user_agent TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );
INSERT INTO "sessions" VALUES('auth_7d35e5e567183fcd2f91bcbb','user_ce9d3eb9f61a0fc0e8a2d3e6','GwWXnEnPDqvrFgdRAs8MFRq09iU6AF38','2026-11-29T00:45:13.111Z','','curl/7.88.1','2026-11-22T00:45:13.112Z','2026-11-22T00:45:13.112Z');
CREATE TABLE two_factors (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    backup_codes TEXT NOT NULL,
    verified INTEGER,
    failed_verification_count INTEGER,
    locked_until TEXT
  );
CREATE TABLE usage_by_day (
        org_id TEXT NOT NULL,
        day BIGINT NOT NULL,
        counted BIGINT NOT NULL, cached BIGINT NOT NULL, failed BIGINT NOT NULL, texts BIGINT NOT NULL, tokens BIGINT NOT NULL,
        PRIMARY KEY (org_id, day)
      );
CREATE TABLE usage_daily (
    org_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    counted BIGINT NOT NULL DEFAULT 0,
    cached BIGINT NOT NULL DEFAULT 0,
    failed BIGINT NOT NULL DEFAULT 0,
    texts BIGINT NOT NULL DEFAULT 0,
    tokens BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, day, key_id)
  );
INSERT INTO "usage_daily" VALUES('org_d4c3a91d9d291b987595377d','key_a816fab8411a802518e7e231',20779,2,1,0,3,3);
INSERT INTO "usage_daily" VALUES('org_d4c3a91d9d291b987595377d','user_ce9d3eb9f61a0fc0e8a2d3e6',20779,1,0,0,1,1);
CREATE TABLE usage_monthly (
        org_id TEXT NOT NULL,
        first_day BIGINT NOT NULL,
        key_id TEXT NOT NULL,
        counted BIGINT NOT NULL, cached BIGINT NOT NULL, failed BIGINT NOT NULL, texts BIGINT NOT NULL, tokens BIGINT NOT NULL,
        PRIMARY KEY (org_id, first_day, key_id)
      );
CREATE TABLE usage_rolled (
        org_id TEXT NOT NULL,
        first_day BIGINT NOT NULL,
        end_day BIGINT NOT NULL,
        PRIMARY KEY (org_id, first_day)
      );
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    image TEXT,
    is_admin INTEGER NOT NULL DEFAULT 0,
    two_factor_enabled INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );
INSERT INTO "users" VALUES('user_ce9d3eb9f61a0fc0e8a2d3e6','Administrator','admin@embedgate.internal',0,NULL,1,0,'2026-11-22T00:45:10.073Z','2026-11-22T00:45:10.073Z');
CREATE TABLE verifications (
    id TEXT PRIMARY KEY,
    identifier TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );
CREATE INDEX api_keys_by_organization ON api_keys (org_id, created_at);
CREATE TRIGGER organizations_insert_changes AFTER INSERT ON organizations
         BEGIN UPDATE changes SET counter = counter + 1; END;
CREATE TRIGGER organizations_update_changes AFTER UPDATE ON organizations
         BEGIN UPDATE changes SET counter = counter + 1; END;
CREATE TRIGGER organizations_delete_changes AFTER DELETE ON organizations
         BEGIN UPDATE changes SET counter = counter + 1; END;
CREATE TRIGGER api_keys_insert_changes AFTER INSERT ON api_keys
         BEGIN UPDATE changes SET counter = counter + 1; END;
CREATE TRIGGER api_keys_update_changes AFTER UPDATE ON api_keys
         BEGIN UPDATE changes SET counter = counter + 1; END;
CREATE TRIGGER api_keys_delete_changes AFTER DELETE ON api_keys
         BEGIN UPDATE changes SET counter = counter + 1; END;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX credentials_by_user ON credentials (user_id);
CREATE INDEX verifications_by_identifier ON verifications (identifier);
CREATE INDEX members_by_user ON members (user_id);
CREATE INDEX invitations_by_email ON invitations (email);
CREATE INDEX notification_targets_by_organization ON notification_targets (org_id, created_at);
CREATE INDEX deliveries_due ON deliveries (status, next_attempt_at);
CREATE INDEX deliveries_by_target ON deliveries (target_id, created_at);
CREATE INDEX deliveries_by_organization ON deliveries (org_id, created_at);
PRAGMA user_version = 4;
COMMIT;
