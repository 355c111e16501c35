/** What a message is about. */
export type NoticeType = 'quota.threshold_reached' | 'quota.exhaustion_projected' | 'test';

/** What targets are sent, in the shape that Standard Webhooks suggests: a webhook's body. Times are ISO 8601, UTC. */
export interface Notice {
  readonly type: NoticeType;
  readonly timestamp: string;
  readonly data: {
    readonly org_id: string;
    /** These of an alert; `limit` and `used` as they were when it was raised. */
    readonly alert_id?: string;
    readonly limit?: number;
    readonly used?: number;
    readonly window?: string;
    readonly window_start?: string;
    readonly resets_at?: string;
    /** Percent. */
    readonly threshold?: number;
    readonly exhausts_at?: string;
    /** This of a test, for people. */
    readonly message?: string;
  };
}
