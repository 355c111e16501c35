import type { Organization } from './accounts/organizations.ts';
import type { KeySummary } from './keys/keys.ts';
import { remainingOf, type Standing } from './quota/decide.ts';

/** What the API shows, in its own names: the one place where times become text. */

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function quotaView(standing: Standing) {
  return {
    limit: standing.limit,
    used: standing.used,
    remaining: remainingOf(standing),
    window: standing.window,
    resets_at: isoTime(standing.resetsAtMs),
  };
}

export function organizationView(organization: Organization, standing: Standing) {
  return {
    org_id: organization.orgId,
    name: organization.name,
    tier: organization.tier,
    created_at: isoTime(organization.createdAt),
    quota: quotaView(standing),
  };
}

export function keyView(key: KeySummary) {
  return {
    key_id: key.keyId,
    org_id: key.orgId,
    user_id: key.userId,
    name: key.name,
    status: key.status,
    hint: key.hint,
    created_at: isoTime(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : isoTime(key.revokedAt),
  };
}
