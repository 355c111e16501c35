/** A member's request for a larger tier. */
export interface UpgradeRequest {
  readonly upgradeId: string;
  readonly orgId: string;
  readonly userId: string;
  /** The tier that the member asks for. */
  readonly tier: string;
  readonly status: 'open' | 'approved' | 'declined';
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

/** A request to become a member, by a person without an organization. */
export interface AccessRequest {
  readonly accessId: string;
  readonly userId: string;
  /** The organization's name as the person typed it. */
  readonly organization: string;
  /** The organization with this name. Null: there is none, or more than one. */
  readonly orgId: string | null;
  readonly createdAt: number;
}
