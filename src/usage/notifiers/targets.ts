import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Delivery, DeliveryStore } from './deliveries.ts';

/** Where an organization's notices go. */
export interface Target {
  readonly targetId: string;
  readonly orgId: string;
  readonly kind: 'email' | 'webhook';
  /** An e-mail address, or a URL. */
  readonly address: string;
  /** A webhook's secret, encrypted. */
  readonly sealedSecret: string | null;
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export interface TargetStore {
  /** False, and nothing is done, when the organization has `max` already. */
  insert(target: Target, max: number): Promise<boolean>;
  /** Oldest first. */
  list(orgId: string): Promise<Target[]>;
  /** With its deliveries. False: there is none. */
  delete(orgId: string, targetId: string): Promise<boolean>;
}

interface Parts {
  readonly targets: TargetStore;
  readonly deliveries: DeliveryStore;
  readonly clock: Clock;
  /** 32 bytes that webhooks' secrets are encrypted under. */
  readonly key: Buffer;
  readonly canMail: boolean;
  /** Throws `invalid_request` for an address that can't be one. */
  readonly validEmail: (address: string, field: string) => string;
  readonly validUrl: (url: string) => string;
  /** Called when something is to be sent. */
  onDue(): void;
}

const maxTargets = 20;
const maxListed = 200;

/** Where notices go, and what was sent there. */
export class Targets {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `secret`, a webhook's, is told this once. Throws `invalid_request`. */
  async create(input: {
    orgId: string;
    kind: 'email' | 'webhook';
    address: string;
    createdBy: string;
  }): Promise<{ target: Target; secret: string | null }> {
    const { targets, clock, key, canMail, validEmail, validUrl } = this.#parts;
    if (input.kind === 'email' && !canMail) {
      throw new ServiceError('invalid_request', 'This service sends no mail: SMTP_URL is not set', {
        param: 'kind',
      });
    }
    const address = input.kind === 'email' ? validEmail(input.address, 'address') : validUrl(input.address);
    const secret = input.kind === 'webhook' ? `whsec_${randomBytes(24).toString('base64')}` : null;
    const target: Target = {
      ...input,
      address,
      targetId: newId('target'),
      sealedSecret: secret && seal(secret, key),
      createdAt: clock.now(),
    };
    if (!(await targets.insert(target, maxTargets))) {
      throw new ServiceError('invalid_request', `An organization has at most ${maxTargets} targets`);
    }
    return { target, secret };
  }

  list(orgId: string): Promise<Target[]> {
    return this.#parts.targets.list(orgId);
  }

  /** Throws `not_found`. */
  async delete(orgId: string, targetId: string): Promise<void> {
    if (!(await this.#parts.targets.delete(orgId, targetId))) throw noTarget();
  }

  /** Sends a notice that says that it is a test. Throws `not_found`. */
  async test(orgId: string, targetId: string): Promise<Delivery> {
    const { deliveries, clock } = this.#parts;
    const target = (await this.list(orgId)).find((one) => one.targetId === targetId);
    if (!target) throw noTarget();
    const nowMs = clock.now();
    const data = { org_id: orgId, message: 'This is a test: nothing has happened.' };
    const payload = JSON.stringify({ type: 'test', timestamp: new Date(nowMs).toISOString(), data });
    const ids = { deliveryId: newId('msg'), messageId: newId('msg') };
    const delivery = await deliveries.enqueue({ ...ids, orgId, targetId, type: 'test', payload }, nowMs);
    this.#parts.onDue();
    return delivery;
  }

  /** Newest first. */
  deliveries(orgId: string, targetId: string | null): Promise<Delivery[]> {
    return this.#parts.deliveries.list(orgId, targetId, maxListed);
  }

  /** The same message again, under the same message id. Throws `not_found`. */
  async resend(orgId: string, deliveryId: string): Promise<Delivery> {
    const { deliveries, clock } = this.#parts;
    const again = await deliveries.resend(orgId, deliveryId, newId('msg'), clock.now());
    if (!again) throw new ServiceError('not_found', 'No such delivery');
    this.#parts.onDue();
    return again;
  }
}

const noTarget = () => new ServiceError('not_found', 'No such target');

/** AES-256-GCM: nonce, tag and text, in base64. */
function seal(text: string, key: Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Throws when it was sealed under another key, or changed. */
export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
