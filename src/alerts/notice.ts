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
    readonly unit?: string;
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

/** Returns a notice for people. `name`: the organization's. */
export function noticeText({ type, data }: Notice, name: string): { subject: string; text: string } {
  const standing = `${data.used} of ${data.limit} ${data.unit} of this ${data.window} are used. It resets on ${data.resets_at}.`;
  if (type === 'quota.threshold_reached') {
    return {
      subject: `${name}: ${data.threshold} % of the quota is used`,
      text:
        data.threshold === 100
          ? `The quota of ${name} is used up: further requests are refused. ${standing}`
          : `${name} has used ${data.threshold} % of its quota. ${standing}`,
    };
  }
  if (type === 'quota.exhaustion_projected') {
    return {
      subject: `${name}: the quota will run out on ${data.exhausts_at?.slice(0, 10)}`,
      text: `At the rate of the last days, the quota of ${name} runs out on ${data.exhausts_at?.slice(0, 10)}. ${standing}`,
    };
  }
  return { subject: `${name}: a test`, text: data.message ?? '' };
}
