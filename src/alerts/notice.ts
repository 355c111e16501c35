/** The subject of a message. */
export type NoticeType = 'quota.threshold_reached' | 'quota.exhaustion_projected' | 'test';

/**
 * The message sent to channels, in the shape that Standard Webhooks suggests; also the body of a webhook. Times are ISO
 * 8601, UTC.
 */
export interface Notice {
  readonly type: NoticeType;
  readonly timestamp: string;
  readonly data: {
    readonly org_id: string;
    /** The following fields are for alerts only; `limit` and `used` are from when the alert was raised. */
    readonly alert_id?: string;
    readonly limit?: number;
    readonly used?: number;
    readonly window?: string;
    readonly window_start?: string;
    readonly resets_at?: string;
    /** Percent. */
    readonly threshold?: number;
    readonly exhausts_at?: string;
    /** For tests only. Text for people. */
    readonly message?: string;
  };
}
