import type { User } from './accounts/accounts.ts';
import type { Invitation } from './accounts/invitations.ts';
import type { Member } from './accounts/members.ts';
import type { Organization } from './accounts/organizations.ts';
import type { Session } from './accounts/sessions.ts';
import type { CreatedKey, KeySummary } from './keys/keys.ts';
import { remainingOf, type Standing } from './quota/decide.ts';
import type { Tier } from './quota/tiers.ts';
import type { Alert } from './usage/alerts/alert.ts';
import type { Delivery } from './usage/notifiers/deliveries.ts';
import type { Notice } from './usage/notifiers/notice.ts';
import type { Target } from './usage/notifiers/target.ts';
import type { Projection } from './usage/projection.ts';
import type { KeyShare } from './usage/usage-report.ts';

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

export function tierView(tier: Tier, isDefault: boolean) {
  return {
    name: tier.name,
    limit: tier.monthlyRequests,
    price: tier.price,
    custom_limits: tier.takesCustomLimit,
    is_default: isDefault,
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
    user_name: key.userName,
    name: key.name,
    status: key.status,
    hint: key.hint,
    created_at: isoTime(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : isoTime(key.revokedAt),
    rotated_from: key.rotatedFrom,
  };
}

/** With the secret: the one time that it is shown. */
export function createdKeyView({ key, secret }: CreatedKey) {
  const { key_id, org_id, user_id, name, expires_at } = keyView(key);
  return { key_id, org_id, user_id, name, status: 'active' as const, key: secret, expires_at };
}

export function userView(user: Omit<User, 'createdAt' | 'isDisabled' | 'organizationCount'>) {
  return {
    user_id: user.userId,
    email: user.email,
    name: user.name,
    is_admin: user.isAdmin,
    uses_totp: user.usesTotp,
  };
}

export function userRecordView(user: User) {
  const { isDisabled, organizationCount, createdAt } = user;
  return {
    ...userView(user),
    disabled: isDisabled,
    organization_count: organizationCount,
    created_at: isoTime(createdAt),
  };
}

/** Without the token. `current`: the id of the session that asks. */
export function sessionView(session: Session, current: string | null) {
  return {
    session_id: session.sessionId,
    is_current: session.sessionId === current,
    address: session.address,
    user_agent: session.userAgent,
    created_at: isoTime(session.createdAt),
    renewed_at: isoTime(session.renewedAt),
    expires_at: isoTime(session.expiresAt),
  };
}

export function memberView({ userId, email, name, role, createdAt }: Member) {
  return { user_id: userId, email, name, role, joined_at: isoTime(createdAt) };
}

export function invitationView(invitation: Invitation) {
  return {
    invitation_id: invitation.invitationId,
    org_id: invitation.orgId,
    email: invitation.email,
    role: invitation.role,
    mailed: invitation.mailed,
    invited_by: invitation.invitedBy,
    created_at: isoTime(invitation.createdAt),
    expires_at: isoTime(invitation.expiresAt),
  };
}

export function keyShareView({ keyId, ...share }: KeyShare, key: KeySummary | undefined) {
  return {
    key_id: keyId,
    name: key?.name ?? null,
    hint: key?.hint ?? null,
    status: key?.status ?? null,
    ...share,
  };
}

export function projectionView(projection: Projection, { limit }: Standing) {
  const { fromMs, toMs, counted, perDay, usedAtReset, exhaustsAtMs } = projection;
  const [from, pace] = [isoTime(fromMs).slice(0, 10), Math.round(perDay * 10) / 10];
  const outcome =
    exhaustsAtMs !== null
      ? `At this pace the quota ends on ${isoTime(exhaustsAtMs).slice(0, 10)}.`
      : limit === null
        ? `At this pace there will be ${usedAtReset} by the reset.`
        : `At this pace the quota lasts: ${usedAtReset} of ${limit} by the reset.`;
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    counted,
    per_day: pace,
    used_at_reset: usedAtReset,
    exhausts_at: exhaustsAtMs === null ? null : isoTime(exhaustsAtMs),
    explanation: `${counted} requests were counted since ${from}, ${pace} a day. ${outcome}`,
  };
}

export function alertView(alert: Alert, isCurrent: boolean) {
  return {
    alert_id: alert.alertId,
    org_id: alert.orgId,
    kind: alert.kind,
    threshold: alert.kind === 'threshold' ? alert.threshold : null,
    window: alert.window,
    window_start: isoTime(alert.windowStartMs),
    is_current: isCurrent,
    limit: alert.limit,
    used: alert.used,
    exhausts_at: alert.exhaustsAtMs === null ? null : isoTime(alert.exhaustsAtMs),
    raised_at: isoTime(alert.raisedAtMs),
    acknowledged_at: alert.acknowledgedAtMs === null ? null : isoTime(alert.acknowledgedAtMs),
    acknowledged_by: alert.acknowledgedBy,
  };
}

/** Without the secret. */
export function targetView({ targetId, orgId, kind, address, createdBy, createdAt }: Target) {
  return {
    ...{ target_id: targetId, org_id: orgId, kind, address, created_by: createdBy },
    created_at: isoTime(createdAt),
  };
}

export function deliveryView(delivery: Delivery) {
  return {
    delivery_id: delivery.deliveryId,
    message_id: delivery.messageId,
    target_id: delivery.targetId,
    alert_id: delivery.alertId,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.status === 'pending' ? isoTime(delivery.nextAttemptAt) : null,
    last_attempt_at: delivery.lastAttemptAt === null ? null : isoTime(delivery.lastAttemptAt),
    last_outcome: delivery.lastOutcome,
    created_at: isoTime(delivery.createdAt),
    message: JSON.parse(delivery.payload) as Notice,
  };
}
