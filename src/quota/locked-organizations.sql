-- Returns the organizations among $1 whose rows a flush would have to wait for: its window of the month, the usage of
-- its keys since day $2, and the organization itself, which any row that refers to it locks against deletion.
WITH windows AS MATERIALIZED (
  SELECT org_id FROM quota_windows WHERE org_id = ANY ($1::TEXT[]) FOR NO KEY UPDATE SKIP LOCKED
), used AS MATERIALIZED (
  SELECT org_id FROM usage_records WHERE org_id = ANY ($1::TEXT[]) AND day >= $2 FOR NO KEY UPDATE SKIP LOCKED
), limited AS MATERIALIZED (
  SELECT org_id FROM limits WHERE org_id = ANY ($1::TEXT[]) FOR NO KEY UPDATE SKIP LOCKED
), orgs AS MATERIALIZED (
  SELECT org_id FROM organizations WHERE org_id = ANY ($1::TEXT[]) FOR KEY SHARE SKIP LOCKED
)
SELECT wanted.org_id FROM unnest($1::TEXT[]) AS wanted (org_id)
WHERE (SELECT count(*) FROM windows WHERE windows.org_id = wanted.org_id)
    < (SELECT count(*) FROM quota_windows q WHERE q.org_id = wanted.org_id)
  OR (SELECT count(*) FROM used WHERE used.org_id = wanted.org_id)
    < (SELECT count(*) FROM usage_records u WHERE u.org_id = wanted.org_id AND u.day >= $2)
  OR (SELECT count(*) FROM orgs WHERE orgs.org_id = wanted.org_id)
    < (SELECT count(*) FROM organizations o WHERE o.org_id = wanted.org_id)
  OR (SELECT count(*) FROM limited WHERE limited.org_id = wanted.org_id)
    < (SELECT count(*) FROM limits l WHERE l.org_id = wanted.org_id)
