import { isoTime } from '../lib/clock.ts';
import { harmless } from '../lib/harmless.ts';
import { newId, prefixedId } from '../lib/ids.ts';

/** The subjects of messages. Those about batches are the ones that OpenAI has. */
export const noticeTypes = [
  'quota.threshold_reached',
  'quota.exhaustion_projected',
  'limit.threshold_reached',
  'key.expires_soon',
  'batch.completed',
  'batch.failed',
  'batch.expired',
  'batch.cancelled',
  'test',
] as const;
export type NoticeType = (typeof noticeTypes)[number];

/**
 * The message sent to channels, in the shape that Standard Webhooks suggests, with the fields of OpenAI's events;
 * also the body of a webhook. `timestamp` is in ISO 8601, UTC.
 */
export interface Notice {
  readonly id: string;
  readonly object: 'event';
  /** Seconds since the Unix epoch. */
  readonly created_at: number;
  readonly type: NoticeType;
  readonly timestamp: string;
  readonly data: {
    readonly org_id: string;
    /** The operator's own id of the organization, and its name. */
    readonly external_id?: string | null;
    readonly organization?: string;
    /** The following fields are for alerts only; `limit` and `used` are from when the alert was raised. */
    readonly alert_id?: string;
    readonly limit_id?: string;
    readonly key_id?: string;
    readonly user_id?: string;
    /** The name of the key, the address of the member, or the id of another user. */
    readonly name?: string;
    readonly expires_at?: string;
    readonly limit?: number;
    readonly used?: number;
    readonly unit?: string;
    readonly window?: string;
    readonly window_start?: string;
    readonly resets_at?: string;
    /** Percent. */
    readonly threshold?: number;
    readonly exhausts_at?: string;
    /** The batch. */
    readonly id?: string;
    /** For batches only: what became of its lines. */
    readonly request_counts?: Readonly<Record<'total' | 'completed' | 'failed', number>>;
    /** For tests only. Text for people. */
    readonly message?: string;
  };
}

/** The message to all channels of an organization. `payload` is JSON; `messageId` is the same for all of them. */
export interface NoticeMessage {
  readonly messageId: string;
  readonly type: NoticeType;
  readonly payload: string;
}

/** Returns a message that was not sent yet. */
export function newNotice(type: NoticeType, data: Notice['data'], nowMs: number): NoticeMessage {
  const messageId = newId();
  const notice: Notice = {
    id: prefixedId('evt_', messageId),
    object: 'event',
    created_at: Math.floor(nowMs / 1_000),
    type,
    timestamp: isoTime(nowMs),
    data,
  };
  return { messageId, type, payload: JSON.stringify(notice) };
}

/** Returns the name that an alert has for its key or member, without anything that a mail program makes a link of. */
const shown = ({ name = '' }: Notice['data']): string => `“${harmless(name)}”`;

const batchEnds: Readonly<Partial<Record<NoticeType, string>>> = {
  'batch.completed': 'is completed',
  'batch.failed': 'has failed',
  'batch.expired': 'has expired',
  'batch.cancelled': 'was cancelled',
};

/** Returns a notice for people. `name`: the organization's. */
export function noticeText({ type, data }: Notice, name: string): { subject: string; text: string } {
  const ended = batchEnds[type];
  if (ended) {
    const { total, completed, failed } = data.request_counts!;
    const done = `Of its ${total} requests, ${completed} have a result and ${failed} have an error.`;
    return {
      subject: `${name}: a batch ${ended}`,
      text: `The batch ${data.id} of ${name} ${ended}. ${completed + failed === 0 ? 'Nothing was run.' : done}`,
    };
  }
  if (type === 'key.expires_soon') {
    const day = data.expires_at?.slice(0, 10);
    return {
      subject: `${name}: an API key expires on ${day}`,
      text:
        `The API key ${shown(data)} of ${name} expires on ${data.expires_at}. Requests with it fail from then on. ` +
        'Rotate it before, and give its clients the new key.',
    };
  }
  const { used = 0, limit = 0, unit, window } = data;
  const isUsed =
    unit === 'cost'
      ? `A cost of ${used / 1_000_000} of ${limit / 1_000_000} is used in this ${window}.`
      : `${used} of ${limit} ${unit} of this ${window} are used.`;
  const standing = `${isUsed} It resets on ${data.resets_at}.`;
  if (type === 'quota.threshold_reached') {
    return {
      subject: `${name}: ${data.threshold} % of the quota is used`,
      text:
        data.threshold === 100
          ? `The quota of ${name} is used up: further requests are refused. ${standing}`
          : `${name} has used ${data.threshold} % of its quota. ${standing}`,
    };
  }
  if (type === 'limit.threshold_reached') {
    const of = data.name === undefined ? name : `${shown(data)} in ${name}`;
    const refused = data.threshold === 100 ? ' Further requests are refused.' : '';
    return {
      subject: `${name}: ${data.threshold} % of a limit is used`,
      text: `${data.threshold} % of a limit of ${of} is used.${refused} ${standing}`,
    };
  }
  if (type === 'quota.exhaustion_projected') {
    return {
      subject: `${name}: the quota will run out on ${data.exhausts_at?.slice(0, 10)}`,
      text:
        `At the rate of the last days, the quota of ${name} runs out on ${data.exhausts_at?.slice(0, 10)}. ` +
        `${standing}`,
    };
  }
  return { subject: `${name}: a test`, text: data.message ?? '' };
}
